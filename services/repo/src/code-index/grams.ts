/** What narrows enough; a longer text is looked for in files that hold these. */
const MOST_GRAMS = 24;

/** Expression of FTS5 for texts that may hold this one, in lower case; null where it is too short for the index. */
export function gramsOf(text: string): string | null {
  const characters = Array.from(text);
  const count = characters.length - 2;
  if (count < 1) return null;
  const step = Math.max(1, count / MOST_GRAMS);
  const grams = new Set<string>();
  for (let at = 0; at < count; at += step)
    grams.add(characters.slice(Math.floor(at), Math.floor(at) + 3).join(''));
  return [...grams].map((gram) => `"${gram.replaceAll('"', '""')}"`).join(' AND ');
}

/** Whether the index narrows a search for this text. */
export const isIndexed = (text: string): boolean => gramsOf(text) !== null;
