/** Object ids: SHA-1 only, always 40 lower-case hexadecimal digits inside this folder. */
import { InvalidNameError } from '../errors.ts';

export const ZERO_OID = '0'.repeat(40);
/** The tree without entries. git knows it in every repository, stored or not. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export function isOid(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** A prefix of an object id long enough to be taken as one: 7 to 39 digits. */
export function isShortOid(text: string): boolean {
  return /^[0-9a-f]{7,39}$/.test(text);
}

/** The id itself, or InvalidNameError. Every id that is put on a command line passes here. */
export function assertOid(text: string): string {
  if (!isOid(text)) throw new InvalidNameError('object id');
  return text;
}
