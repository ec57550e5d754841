export type Token =
  | { kind: 'variable'; name: string }
  | { kind: 'text'; value: string }
  | { kind: 'pattern'; written: string }
  | { kind: 'null' }
  | { kind: Operator };

export type Operator = '==' | '!=' | '=~' | '!~' | '&&' | '||' | '(' | ')';

// The alternatives begin with different characters, so matching never backtracks far.
const TOKEN =
  /\s*(?:\$(\w+)|"([^"]*)"|'([^']*)'|(\/(?:[^/\\]|\\.)+\/[imsU]*)|(null\b)|(==|!=|=~|!~|&&|\|\||\(|\)))/sy;

/** @returns null for a text with any other token */
export function tokenize(text: string): Token[] | null {
  const trimmed = text.trim();
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const match = TOKEN.exec(trimmed);
    if (!match) return null;
    tokens.push(tokenOf(match));
  }
  return tokens;
}

function tokenOf([, name, double, single, pattern, nothing, operator]: RegExpExecArray): Token {
  if (name !== undefined) return { kind: 'variable', name };
  if (pattern !== undefined) return { kind: 'pattern', written: pattern };
  if (nothing !== undefined) return { kind: 'null' };
  if (operator !== undefined) return { kind: operator as Operator };
  return { kind: 'text', value: double ?? single ?? '' };
}
