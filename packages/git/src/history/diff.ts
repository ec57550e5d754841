import { EMPTY_TREE } from '../objects/object-id.ts';
import { answerKey, weight } from '../process/memoize.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { decodeText } from '../text.ts';
import { treeOf } from '../trees/tree-reader.ts';
import { hunksOf, parseRaw, type RawChange, splitPatches } from './diff-parser.ts';
import { diffTrees } from './diff-session.ts';

export interface DiffEntry {
  oldPath: string;
  newPath: string;
  /** Octal digits; `0` on a side that does not exist. */
  aMode: string;
  bMode: string;
  /** Object ids; 40 zeros on a side that does not exist. */
  aOid: string;
  bOid: string;
  newFile: boolean;
  renamedFile: boolean;
  deletedFile: boolean;
  /** The hunks, or `Binary files … differ`; empty if there are none or a limit was reached. */
  diff: string;
  /** Whether a limit emptied `diff`. */
  tooLarge: boolean;
}

export interface Diff {
  entries: DiffEntry[];
  /** Whether a limit dropped an entry or emptied its diff. */
  overflow: boolean;
  /** Whether it took too long or too much memory; the result is partial then. */
  timedOut: boolean;
}

export interface DiffLimits {
  /** The most entries. Default 1,000. */
  maxFiles?: number;
  /** The most bytes per entry. Default 200 KiB. */
  maxPatchBytes?: number;
  /** The most bytes in total. Default 8 MiB. */
  maxBytes?: number;
  /** In milliseconds. Default 10,000. */
  deadlineMs?: number;
  signal?: AbortSignal;
}

/** Compares two commits directly. With `from` undefined everything in `to` is new. */
export async function diffCommits(
  context: RepositoryContext,
  from: string | undefined,
  to: string,
  limits: DiffLimits = {},
): Promise<Diff> {
  const trees = await Promise.all([
    from === undefined ? EMPTY_TREE : treeOf(context, from),
    treeOf(context, to),
  ]);
  return diffOfTrees(context, trees[0], trees[1], limits);
}

export async function diffOfTrees(
  context: RepositoryContext,
  from: string,
  to: string,
  limits: DiffLimits = {},
): Promise<Diff> {
  if (from === to) return { entries: [], overflow: false, timedOut: false };
  const {
    maxFiles = 1_000,
    maxPatchBytes = 200 * 1024,
    maxBytes = 8 * 1024 * 1024,
    deadlineMs = 10_000,
  } = limits;
  const key = answerKey(context, ['diff', from, to, maxFiles, maxPatchBytes, maxBytes].map(String));
  const known = context.answers.get(key) as Diff | undefined;
  if (known) return known;
  const bounds = { maxBytes, deadlineMs, signal: limits.signal };
  const [answer] = await diffTrees(context, 'patch', [{ from, to }], bounds);
  const { output, complete, timedOut } = answer!;
  const { changes, end } = parseRaw(output);
  const patches = splitPatches(output.subarray(end));
  if (!complete) patches.pop(); // truncated

  let next = 0;
  const entries = changes
    .flatMap(splitTypeChange)
    .map((change) => toEntry(change, patches[next++], maxPatchBytes));
  const overflow = !complete || entries.length > maxFiles || entries.some((entry) => entry.tooLarge);
  const diff = { entries: entries.slice(0, maxFiles), overflow, timedOut };
  // Do not cache a truncated diff: the next run may complete it.
  if (complete && output.length <= LARGEST_KEPT) context.answers.set(key, diff, weight(diff));
  return diff;
}

/** Bytes of the largest output that is cached. */
const LARGEST_KEPT = 1024 * 1024;

/** A file that became a link is one raw change but two patches: a deletion and an addition. */
function splitTypeChange(change: RawChange): RawChange[] {
  if (change.status !== 'T' || change.aMode.slice(0, 3) === change.bMode.slice(0, 3)) return [change];
  const gone = { ...change, status: 'D', bMode: NO_MODE, bOid: NO_OID };
  const come = { ...change, status: 'A', aMode: NO_MODE, aOid: NO_OID };
  return [gone, come];
}

const NO_MODE = '000000';
const NO_OID = '0'.repeat(40);

function toEntry(change: RawChange, patch: Buffer | undefined, maxPatchBytes: number): DiffEntry {
  const { status, aMode, bMode, ...rest } = change;
  const hunks = patch && hunksOf(patch);
  const tooLarge = !hunks || hunks.length > maxPatchBytes;
  return {
    ...rest,
    aMode: aMode === NO_MODE ? '0' : aMode,
    bMode: bMode === NO_MODE ? '0' : bMode,
    newFile: status === 'A',
    renamedFile: status === 'R',
    deletedFile: status === 'D',
    diff: tooLarge ? '' : decodeText(hunks),
    tooLarge,
  };
}
