/** Object ids: SHA-1 only, always 40 lower-case hexadecimal digits in this package. */
import { InvalidNameError } from '../errors.ts';

export const ZERO_OID = '0'.repeat(40);
/** git knows the empty tree in every repository, stored or not. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export function isOid(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** Whether the text can abbreviate an object id: 7 to 39 digits. */
export function isShortOid(text: string): boolean {
  return /^[0-9a-f]{7,39}$/.test(text);
}

/** Guards every id on a command line. @throws InvalidNameError */
export function assertOid(text: string): string {
  if (!isOid(text)) throw new InvalidNameError('object id');
  return text;
}
