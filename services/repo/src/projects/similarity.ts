/** Compares texts by shared trigrams, as PostgreSQL's pg_trgm does. */

export interface Searched {
  path: string | null;
  name: string | null;
  description: string | null;
}

/** Weights the path most, then the name. */
export function similarityTo(search: string): (project: Searched) => number {
  const wanted = trigrams(search);
  const alike = (text: string | null) => (text === null ? 0 : similarity(wanted, trigrams(text)));
  return ({ path, name, description }) => alike(path) + 0.7 * alike(name) + 0.2 * alike(description);
}

function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const trigram of one) if (other.has(trigram)) shared++;
  return shared === 0 ? 0 : shared / (one.size + other.size - shared);
}

function trigrams(text: string): Set<string> {
  const found = new Set<string>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at++) found.add(padded.slice(at, at + 3));
  }
  return found;
}
