/* Places in an order that people give, as texts: between any two there is room for another one. */

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';
const BASE = DIGITS.length;
const valueAt = (text: string, at: number): number => (at < text.length ? DIGITS.indexOf(text[at]!) : 0);

/** The place of an issue that nobody moved: issues are in the order of their numbers then. */
export const placeOfNumber = (iid: number): string => `i${iid.toString(BASE).padStart(7, '0')}i`;

/**
 * A place between two others, of which the first is the lesser one. Neither ends with a 0, nor does the result.
 * @param before empty for the beginning
 */
export function placeBetween(before: string, after: string): string {
  let shared = 0;
  while (shared < after.length && valueAt(before, shared) === valueAt(after, shared)) shared += 1;
  const [low, high] = [valueAt(before, shared), valueAt(after, shared)];
  const prefix = after.slice(0, shared);
  if (high - low > 1) return prefix + DIGITS[Math.floor((low + high) / 2)];
  // The digit of the second one alone is less than all of it, and more than the first one.
  if (after.length > shared + 1) return prefix + after[shared];
  return prefix + DIGITS[low] + placeBehind(before.slice(shared + 1));
}

/** A place behind another one, before everything that begins with the next digit. */
function placeBehind(before: string): string {
  const low = valueAt(before, 0);
  if (low < BASE - 1) return DIGITS[Math.ceil((low + BASE) / 2)]!;
  return DIGITS[low] + placeBehind(before.slice(1));
}
