import { LRUCache } from 'lru-cache';
import { compileExpression, type Pattern } from './regular-expression.ts';

/**
 * A path pattern of `changes` or `exists`. `*`, `?` and `[a-z]` stay within a folder, `**` as a folder name matches any
 * number of folders, and `{a,b}` matches either part. Hidden files match like others.
 */
export interface Glob {
  readonly text: string;
  /** Folder of every match, such as `src/`; the whole path for a literal. */
  readonly prefix: string;
  readonly isLiteral: boolean;
  matches(path: string): boolean;
}

const SPECIAL = /[*?[\]{}\\]/;
const LONGEST = 1024;
const compiled = new LRUCache<string, { glob: Glob | null }>({ max: 1000 });

/** @returns null for a text that is too long or has an unclosed bracket */
export function compileGlob(text: string): Glob | null {
  const known = compiled.get(text);
  if (known) return known.glob;
  const glob = compile(text);
  compiled.set(text, { glob });
  return glob;
}

function compile(text: string): Glob | null {
  if (text.length > LONGEST) return null;
  const at = text.search(SPECIAL);
  if (at === -1) return { text, prefix: text, isLiteral: true, matches: (path) => path === text };
  const source = expressionOf(text);
  const pattern = source === null ? null : compileExpression(source);
  if (!pattern) return null;
  const prefix = text.slice(0, text.slice(0, at).lastIndexOf('/') + 1);
  return { text, prefix, isLiteral: false, matches: matcher(pattern, prefix) };
}

const matcher = (pattern: Pattern, prefix: string) => (path: string) =>
  path.startsWith(prefix) && pattern.test(path);

const quoted = (character: string) =>
  /[\w/]/.test(character) ? character : `\\x{${character.codePointAt(0)!.toString(16)}}`;

function expressionOf(glob: string): string | null {
  let source = '';
  let open = 0;
  for (let at = 0; at < glob.length; ) {
    const isFolderStart = at === 0 || glob[at - 1] === '/';
    if (isFolderStart && glob.startsWith('**/', at)) {
      source += '(?:[^/]+/)*';
      at += 3;
      while (glob.startsWith('**/', at)) at += 3;
      continue;
    }
    const character = String.fromCodePoint(glob.codePointAt(at)!);
    at += character.length;
    if (character === '*') {
      while (glob[at] === '*') at += 1;
      source += '[^/]*';
    } else if (character === '?') source += '[^/]';
    else if (character === '[') {
      const end = glob.indexOf(']', at + 1);
      const set = end === -1 ? null : setOf(glob.slice(at, end));
      if (set === null) return null;
      source += set;
      at = end + 1;
    } else if (character === '{') {
      open += 1;
      source += '(?:';
    } else if (character === '}' && open > 0) {
      open -= 1;
      source += ')';
    } else if (character === ',' && open > 0) source += '|';
    else if (character === '\\' && at < glob.length) {
      const escaped = String.fromCodePoint(glob.codePointAt(at)!);
      at += escaped.length;
      source += quoted(escaped);
    } else source += quoted(character);
  }
  return open > 0 ? null : `^${source}$`;
}

/** Translates `[abc]`, `[a-z]` and `[!a]`; a set never matches a slash. */
function setOf(text: string): string | null {
  const negated = text.startsWith('!') || text.startsWith('^');
  const members = [...(negated ? text.slice(1) : text)];
  if (members.length === 0 || members.includes('/')) return null;
  const inside = members.map((member, index) =>
    member === '-' && index > 0 && index < members.length - 1 ? '-' : quoted(member),
  );
  return `[${negated ? '^/' : ''}${inside.join('')}]`;
}
