/* Shared by all adapters. A word holds letters, digits and marks alone, so it means nothing to a database. */

/** Characters; longer words are alike where they begin alike. */
const LONGEST = 40;
const MOST_OF_A_TEXT = 20_000;
/** Shorter words match whole: so many words begin with a single letter. */
const SHORTEST_BEGINNING = 3;

/** Scripts that put no space between words: each character is a word. */
const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';
const WORD = new RegExp(
  `(?=[\\p{L}\\p{N}])[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`,
  'gu',
);
const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+/g;
/** Not seen, and not a place where a word ends: direction marks, joiners, soft hyphens, variation selectors. */
const UNSEEN = /\p{Cf}|[\u{fe00}-\u{fe0f}]/gu;
const ACCENTS = /[\u0300-\u036f]/g;

export function wordsOf(text: string): string[] {
  const found = new Set<string>();
  const ascii = ASCII.test(text);
  const folded = ascii ? text.toLowerCase() : foldWord(text);
  for (const [word] of folded.matchAll(ascii ? ASCII_WORD : WORD)) {
    found.add(word.length <= LONGEST ? word : Array.from(word).slice(0, LONGEST).join(''));
    if (found.size === MOST_OF_A_TEXT) break;
  }
  return [...found];
}

/** Through capitals, which ß and the final sigma have in common with ss and sigma. */
function foldWord(text: string): string {
  const bare = text.normalize('NFKD').replace(UNSEEN, '').replace(ACCENTS, '');
  return bare.toUpperCase().normalize('NFKD').replace(ACCENTS, '').toLowerCase().replaceAll('ς', 'σ');
}

export const isBeginning = (word: string): boolean => Array.from(word).length >= SHORTEST_BEGINNING;

export const isAmong = (word: string, words: readonly string[]): boolean =>
  isBeginning(word) ? words.some((each) => each.startsWith(word)) : words.includes(word);
