const NAME = /(?<![\w./@-])@([a-z0-9_](?:[a-z0-9_.-]{0,253}[a-z0-9_])?)/gi;

/** Longer texts are looked at up to here. */
const MOST_TEXT = 100_000;
const MOST_NAMES = 1_000;

/** The usernames that texts mention, in lower case, after those that were mentioned before. */
export function withMentions(before: readonly string[], ...texts: (string | null)[]): readonly string[] {
  const found = texts.flatMap((text) =>
    [...(text ?? '').slice(0, MOST_TEXT).matchAll(NAME)].map(([, name]) => name!.toLowerCase()),
  );
  if (found.length === 0) return before;
  return [...new Set([...before, ...found])].slice(0, MOST_NAMES);
}
