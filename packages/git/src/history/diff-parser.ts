/** Parses the output of `--raw -z --patch`. */
import { decodeText } from '../text.ts';

export interface RawChange {
  aMode: string;
  bMode: string;
  aOid: string;
  bOid: string;
  /** One of A, D, M, T, R or C. */
  status: string;
  oldPath: string;
  newPath: string;
}

/** Returns the changes and the offset of the patches. Drops a truncated last entry. */
export function parseRaw(output: Buffer): { changes: RawChange[]; end: number } {
  const changes: RawChange[] = [];
  let at = 0;
  const field = () => {
    const zero = output.indexOf(0, at);
    if (zero < 0) return undefined;
    const bytes = output.subarray(at, zero);
    at = zero + 1;
    return bytes;
  };
  while (output[at] === 0x3a) {
    const [aMode = '', bMode = '', aOid = '', bOid = '', status = ''] =
      field()?.toString('latin1').slice(1).split(' ') ?? [];
    const oldPath = field();
    const newPath = /^[RC]/.test(status) ? field() : oldPath;
    if (!oldPath || !newPath) return { changes, end: output.length };
    const paths = { oldPath: decodeText(oldPath), newPath: decodeText(newPath) };
    changes.push({ aMode, bMode, aOid, bOid, status: status.slice(0, 1), ...paths });
  }
  return { changes, end: output[at] === 0 ? at + 1 : at };
}

const PATCH_START = Buffer.from('diff --git ');
const NEXT_PATCH = Buffer.from('\ndiff --git ');

/** Splits patches. Every line of a hunk starts with a space, `+`, `-` or `\`, so content cannot look like a header. */
export function splitPatches(text: Buffer): Buffer[] {
  const patches: Buffer[] = [];
  if (!text.subarray(0, PATCH_START.length).equals(PATCH_START)) return patches;
  let from = 0;
  for (;;) {
    const next = text.indexOf(NEXT_PATCH, from);
    if (next < 0) break;
    patches.push(text.subarray(from, next + 1));
    from = next + 1;
  }
  patches.push(text.subarray(from));
  return patches;
}

const HUNK = Buffer.from('\n@@ ');
const BINARY = Buffer.from('\nBinary files ');

/** Returns a patch from its first hunk, or the line that says that files are binary, or nothing. */
export function hunksOf(patch: Buffer): Buffer {
  const hunk = patch.indexOf(HUNK);
  if (hunk >= 0) return patch.subarray(hunk + 1);
  const binary = patch.indexOf(BINARY);
  return binary >= 0 ? patch.subarray(binary + 1) : Buffer.alloc(0);
}
