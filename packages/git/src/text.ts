/** Bytes that git calls text, as strings. */

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 where it is, else Latin-1, byte by byte: never a loss of length, never an exception. */
export function decodeText(bytes: Buffer): string {
  try {
    return strict.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

/** By the name that a commit gives its encoding; as `decodeText` where that is unknown or not true. */
export function decodeAs(bytes: Buffer, encoding: string | undefined): string {
  if (!encoding || /^utf-?8$/i.test(encoding)) return decodeText(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return decodeText(bytes);
  }
}

/** Splits at a byte; a last empty part after a final separator is left out. */
export function splitBytes(bytes: Buffer, separator: number): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(separator); at >= 0; at = bytes.indexOf(separator, from)) {
    parts.push(bytes.subarray(from, at));
    from = at + 1;
  }
  if (from < bytes.length) parts.push(bytes.subarray(from));
  return parts;
}

/** As the bytes of UTF-8 compare, which is by code point; JavaScript compares by halves of surrogate pairs. */
export function compareBytes(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at += 1) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Code units from U+E000 on come before surrogates, which stand for code points beyond them. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);
