import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/** An expression of RE2, which takes time linear in the text. */
export interface LinearExpression {
  /** Whether it is found anywhere in the text. */
  test(text: string): boolean;
}

/** The most steps that an expression may take for each character. */
const MAX_PROGRAM = 1000;

const compiled = new LRUCache<string, { expression: LinearExpression | null }>({ max: 1000 });

/** @returns null for what is no expression of RE2, or too large a one */
export function linearExpression(source: string): LinearExpression | null {
  const known = compiled.get(source);
  if (known) return known.expression;
  const expression = compile(source);
  compiled.set(source, { expression });
  return expression;
}

function compile(source: string): LinearExpression | null {
  try {
    const program = RE2JS.compile(source);
    return program.programSize() > MAX_PROGRAM ? null : { test: (text) => program.test(text) };
  } catch {
    return null;
  }
}
