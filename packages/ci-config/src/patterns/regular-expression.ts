import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/** Patterns come from strangers, so matching takes time linear in the text for every pattern. */
export interface Pattern {
  /** Whether the pattern is found anywhere in the text. */
  test(text: string): boolean;
  /** Length of its program: a search takes at most as many steps for each character. */
  size: number;
  /** All matches from left to right, each found when it is asked for. */
  matches(text: string): Generator<Match>;
}

export interface Match {
  /** Its last group that took part, or the whole where the pattern has no groups. Null where none took part. */
  value: string | null;
  /** Where the search for the next one begins. */
  end: number;
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
    return {
      test: (text) => expression.test(text),
      size: expression.programSize(),
      *matches(text) {
        const matcher = expression.matcher(text);
        while (matcher.find()) yield { value: lastGroup(matcher), end: matcher.end() };
      },
    };
  } catch {
    return null;
  }
}

function lastGroup(matcher: ReturnType<RE2JS['matcher']>): string | null {
  const groups = matcher.groupCount();
  if (groups === 0) return matcher.group();
  const all = Array.from({ length: groups }, (_, index) => matcher.group(index + 1));
  return all.findLast((group) => group !== null) ?? null;
}
