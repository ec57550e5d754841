/** Lines before and after the one that was found. */
const AROUND = 3;
/** Characters of an excerpt. */
const LONGEST = 10_000;

export interface Excerpt {
  /** Number of the first line. */
  startline: number;
  data: string;
}

/** The lines around the first one that fits; the beginning where none does. */
export function excerptOf(text: string, fits: (line: string) => boolean): Excerpt {
  const lines = text.split('\n');
  const at = Math.max(0, lines.findIndex(fits));
  const from = Math.max(0, at - AROUND);
  const shown = lines.slice(from, at + AROUND + 1).join('\n');
  const ends = at + AROUND + 1 < lines.length;
  return { startline: from + 1, data: cut(ends ? `${shown}\n` : shown) };
}

/** No half of a character is left at the end. */
const cut = (text: string) => (text.length > LONGEST ? text.slice(0, LONGEST).toWellFormed() : text);
