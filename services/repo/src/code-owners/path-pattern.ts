/** @param segments of a path: `['docs', 'index.md']` */
export type PathPattern = (segments: readonly string[]) => boolean;

const ANY_FOLDERS = '**';

/**
 * Compiles a path of a file of code owners. One that begins with `/` begins at the root; one that ends with `/` is all
 * that is in that folder. `*`, `?` and `[a-z]` stay within a segment, and `**` is any number of folders.
 */
export function pathPattern(text: string): PathPattern {
  const anchored = text.startsWith('/') ? text.slice(1) : `**/${text}`;
  const full = anchored.endsWith('/') || anchored === '' ? `${anchored}**/*` : anchored;
  const parts = full
    .split('/')
    .filter((part, at, all) => part !== ANY_FOLDERS || all[at - 1] !== ANY_FOLDERS);
  const matchers = parts.map((part) => (part === ANY_FOLDERS ? null : segmentPattern(part)));
  // A path that ends with it covers all below.
  if (matchers.at(-1) === null) matchers.push(() => true);
  return (segments) =>
    matchesInOrder(matchers.length, segments.length, {
      isAny: (part) => matchers[part] === null,
      fits: (part, at) => matchers[part]!(segments[at]!),
    });
}

type Token = { kind: 'any' } | { kind: 'one'; fits(character: string): boolean };

function segmentPattern(text: string): (segment: string) => boolean {
  if (!/[*?[\\]/.test(text)) return (segment) => segment === text;
  const tokens = tokensOf([...text]);
  return (segment) => {
    const characters = [...segment];
    return matchesInOrder(tokens.length, characters.length, {
      isAny: (part) => tokens[part]!.kind === 'any',
      fits: (part, at) => {
        const token = tokens[part]!;
        return token.kind === 'one' && token.fits(characters[at]!);
      },
    });
  };
}

function tokensOf(text: readonly string[]): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    const end = character === '[' ? text.indexOf(']', at + 2) : -1;
    if (character === '*') tokens.push({ kind: 'any' });
    else if (character === '?') tokens.push({ kind: 'one', fits: () => true });
    else if (end > 0) {
      tokens.push({ kind: 'one', fits: setOf(text.slice(at + 1, end)) });
      at = end;
    } else {
      const literal = character === '\\' && at + 1 < text.length ? text[++at]! : character;
      tokens.push({ kind: 'one', fits: (one) => one === literal });
    }
  }
  return tokens;
}

function setOf(members: readonly string[]): (character: string) => boolean {
  const isNegated = members[0] === '^' || members[0] === '!';
  const ranges: [from: string, to: string][] = [];
  for (let at = isNegated ? 1 : 0; at < members.length; at++) {
    const from = members[at]!;
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    ranges.push([from, isRange ? members[at + 2]! : from]);
    if (isRange) at += 2;
  }
  return (one) => ranges.some(([from, to]) => from <= one && one <= to) !== isNegated;
}

/**
 * Whether parts, of which some stand for any number of items, match all items in order. Only the newest of those is
 * tried again, so that hostile patterns take parts times items steps at most.
 */
function matchesInOrder(
  parts: number,
  items: number,
  { isAny, fits }: { isAny(part: number): boolean; fits(part: number, item: number): boolean },
): boolean {
  let [part, item] = [0, 0];
  let [anyPart, anyItem] = [-1, 0];
  while (item < items) {
    if (part < parts && isAny(part)) {
      anyPart = part++;
      anyItem = item;
    } else if (part < parts && fits(part, item)) {
      part += 1;
      item += 1;
    } else if (anyPart >= 0) {
      part = anyPart + 1;
      item = ++anyItem;
    } else return false;
  }
  while (part < parts && isAny(part)) part += 1;
  return part === parts;
}
