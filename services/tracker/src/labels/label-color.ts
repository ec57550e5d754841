import names from 'color-name';

/** What labels get that are created because an issue or a merge request names them. */
export const DEFAULT_COLOR = '#6699cc';

/** `#rrggbb` in lower case, from that, from `#rgb` or from a name of CSS; undefined for anything else. */
export function colorOf(given: string): string | undefined {
  const lower = given.trim().toLowerCase();
  if (/^#[0-9a-f]{6}$/.test(lower)) return lower;
  if (/^#[0-9a-f]{3}$/.test(lower)) return lower.replace(/[0-9a-f]/g, '$&$&');
  if (!Object.hasOwn(names, lower)) return undefined;
  const parts = names[lower as keyof typeof names];
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Red, green and blue together, of 765, above which dark text is easier to read. */
const BRIGHT = 500;

/** The colour of a text that can be read on a colour. */
export function textColorOn(color: string): string {
  const sum = [1, 3, 5].reduce((total, at) => total + Number.parseInt(color.slice(at, at + 2), 16), 0);
  return sum > BRIGHT ? '#333333' : '#FFFFFF';
}
