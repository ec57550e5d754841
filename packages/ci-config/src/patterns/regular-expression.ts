import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/** Patterns come from strangers, so matching takes time linear in the text for every pattern. */
export interface Pattern {
  /** Whether the pattern is found anywhere in the text. */
  test(text: string): boolean;
}

const WRITTEN = /^\/(.*)\/([imsU]*)$/s;
const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};
const LONGEST = 4096;
const compiled = new LRUCache<string, { pattern: Pattern | null }>({ max: 1000 });

export const looksLikePattern = (text: string) => WRITTEN.test(text);

/** Compiles `/pattern/flags` in RE2 syntax. @returns null for an invalid pattern */
export function compilePattern(written: string): Pattern | null {
  const known = compiled.get(written);
  if (known) return known.pattern;
  const pattern = compile(written);
  compiled.set(written, { pattern });
  return pattern;
}

function compile(written: string): Pattern | null {
  const [, source, flags] = WRITTEN.exec(written) ?? [];
  if (source === undefined || written.length > LONGEST) return null;
  // Slashes are escaped because they delimit the pattern; RE2 knows no such escape.
  const unescaped = source.replaceAll('\\/', '/');
  const ungreedy = flags!.includes('U') ? `(?U)${unescaped}` : unescaped;
  return compileExpression(
    ungreedy,
    [...flags!].reduce((sum, flag) => sum | (FLAGS[flag] ?? 0), 0),
  );
}

export function compileExpression(source: string, flags = 0): Pattern | null {
  try {
    const expression = RE2JS.compile(source, flags);
    return { test: (text) => expression.test(text) };
  } catch {
    return null;
  }
}
