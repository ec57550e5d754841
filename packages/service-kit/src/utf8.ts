const LONGEST_CHARACTER_BYTES = 4;

/** Like `Buffer.from(text)`, which measures a text first. Of ASCII, as JSON mostly is, the length is known. */
export function toUtf8(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(text.length + LONGEST_CHARACTER_BYTES);
  const length = bytes.write(text);
  // Even if it is cut off, a text beyond ASCII has filled more than its length.
  const isAscii = length === text.length;
  return isAscii ? bytes.subarray(0, length) : Buffer.from(text);
}
