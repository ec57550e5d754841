import { LRUCache } from 'lru-cache';
import { compilePattern, looksLikePattern } from '../patterns/regular-expression.ts';
import { type Operator, type Token, tokenize } from './tokens.ts';

/** A condition of `rules:if` or `only:variables`. */
export type Expression = (lookup: Lookup) => boolean;
/** Returns the value of a variable, or undefined. */
export type Lookup = (name: string) => string | undefined;

type Value = string | boolean | null;
type Evaluate = (lookup: Lookup) => Value;

const LONGEST = 10_000;
const DEPTH = 100;
const parsed = new LRUCache<string, { expression: Expression | null }>({ max: 1000 });

/** @returns null for an invalid expression */
export function parseExpression(text: string): Expression | null {
  const known = parsed.get(text);
  if (known) return known.expression;
  const evaluate = text.length > LONGEST ? null : new ExpressionParser(tokenize(text) ?? []).parse();
  const expression: Expression | null = evaluate && ((lookup) => isTrue(evaluate(lookup)));
  parsed.set(text, { expression });
  return expression;
}

/** A text is true unless it is blank. */
const isTrue = (value: Value) => (typeof value === 'string' ? value.trim() !== '' : value === true);

/** `or → and ('||' and)*`, `and → comparison ('&&' comparison)*`, `comparison → operand (operator operand)?`. */
class ExpressionParser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Evaluate | null {
    const result = this.#or();
    return this.#at === this.#tokens.length ? result : null;
  }

  #accept(...kinds: readonly Operator[]): Operator | null {
    const kind = this.#tokens[this.#at]?.kind;
    if (!kinds.includes(kind as Operator)) return null;
    this.#at += 1;
    return kind as Operator;
  }

  #or(): Evaluate | null {
    return this.#joined('||', () => this.#joined('&&', () => this.#comparison()));
  }

  /** Builds a list instead of a tree, so that a thousand conditions need no deep stack. */
  #joined(operator: '&&' | '||', part: () => Evaluate | null): Evaluate | null {
    const parts: Evaluate[] = [];
    do {
      const one = part();
      if (!one) return null;
      parts.push(one);
    } while (this.#accept(operator));
    if (parts.length === 1) return parts[0]!;
    return operator === '||'
      ? (lookup) => parts.some((one) => isTrue(one(lookup)))
      : (lookup) => parts.every((one) => isTrue(one(lookup)));
  }

  #comparison(): Evaluate | null {
    const left = this.#operand();
    if (!left) return null;
    const equality = this.#accept('==', '!=');
    if (equality) {
      const right = this.#operand();
      if (!right) return null;
      return equality === '=='
        ? (lookup) => left(lookup) === right(lookup)
        : (lookup) => left(lookup) !== right(lookup);
    }
    const match = this.#accept('=~', '!~');
    if (!match) return left;
    const found = this.#match(left);
    return match === '=~' ? found : found && ((lookup) => !found(lookup));
  }

  /** The right side is a pattern, or a variable that holds one. Any other text is searched for literally. */
  #match(left: Evaluate): Evaluate | null {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    const right = token && patternIn(token);
    if (!right) return null;
    return (lookup) => {
      const value = left(lookup);
      const written = right(lookup);
      if (typeof value !== 'string' || !written) return false;
      return looksLikePattern(written)
        ? (compilePattern(written)?.test(value) ?? false)
        : value.includes(written);
    };
  }

  #operand(): Evaluate | null {
    if (this.#accept('(')) {
      this.#depth += 1;
      const inside = this.#depth > DEPTH ? null : this.#or();
      this.#depth -= 1;
      return inside && this.#accept(')') ? inside : null;
    }
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (token?.kind === 'variable') return (lookup) => lookup(token.name) ?? null;
    if (token?.kind === 'text') return () => token.value;
    if (token?.kind === 'null') return () => null;
    return null;
  }
}

function patternIn(token: Token): ((lookup: Lookup) => string | undefined) | null {
  if (token.kind === 'pattern') return compilePattern(token.written) ? () => token.written : null;
  if (token.kind === 'text') return () => token.value;
  return token.kind === 'variable' ? (lookup) => lookup(token.name) : null;
}
