/** Conversion of git's bytes to strings. */

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8, else Latin-1 byte by byte. Never throws. */
export function decodeText(bytes: Buffer): string {
  try {
    return strict.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

/** Decodes by a commit's encoding name; falls back to `decodeText` if that is unknown or wrong. */
export function decodeAs(bytes: Buffer, encoding: string | undefined): string {
  if (!encoding || /^utf-?8$/i.test(encoding)) return decodeText(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return decodeText(bytes);
  }
}

/** Splits at a byte, without a last empty part. */
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

/** Compares as UTF-8 bytes, which is by code point; JavaScript compares UTF-16 code units. */
export function compareBytes(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at += 1) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Ranks U+E000 and above before surrogates, which stand for higher code points. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);
