/** Packets of git's protocol: their length in four hexadecimal digits, then their bytes (`gitprotocol-common(5)`). */

export const FLUSH = '0000';
const HEAD_BYTES = 4;

/** A packet of one line. */
export function packet(line: string): string {
  return `${(Buffer.byteLength(line) + HEAD_BYTES + 1).toString(16).padStart(HEAD_BYTES, '0')}${line}\n`;
}
