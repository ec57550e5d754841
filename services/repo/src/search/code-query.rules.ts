/** What a search in code asks for: a text, and what the paths of files must be like. */
export interface CodeQuery {
  /** In lower case; empty where only paths are asked for. */
  text: string;
  accepts(path: string): boolean;
}

const FILTER = /^(-?)(filename|path|extension):(.+)$/is;

/** The words that filter by path are taken out; what is left is looked for as it is. Stars stand for any characters. */
export function codeQuery(search: string): CodeQuery {
  const words = search.split(/\s+/);
  const filters = words.flatMap((word) => {
    const [, minus, kind, pattern] = FILTER.exec(word) ?? [];
    return kind === undefined ? [] : [{ wanted: minus === '', fits: filterOf(kind.toLowerCase(), pattern!) }];
  });
  const text = filters.length === 0 ? search : words.filter((word) => !FILTER.test(word)).join(' ');
  return {
    text: text.trim().toLowerCase(),
    accepts: (path) => filters.every(({ wanted, fits }) => fits(path.toLowerCase()) === wanted),
  };
}

function filterOf(kind: string, pattern: string): (path: string) => boolean {
  const parts = pattern.toLowerCase().split('*');
  if (kind === 'path') return (path) => foundIn(path, parts) !== undefined;
  const [end, ...before] = (kind === 'extension' ? withDot(parts) : parts).toReversed();
  return (path) => {
    if (!path.endsWith(end!)) return false;
    return foundIn(path.slice(0, path.length - end!.length), before.toReversed()) !== undefined;
  };
}

const withDot = ([first, ...others]: string[]) => [`.${first!.replace(/^\./, '')}`, ...others];

/** Where the parts end, one behind the other. */
function foundIn(path: string, parts: readonly string[]): number | undefined {
  let from = 0;
  for (const part of parts) {
    const at = path.indexOf(part, from);
    if (at < 0) return undefined;
    from = at + part.length;
  }
  return from;
}
