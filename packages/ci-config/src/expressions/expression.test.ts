import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExpression } from './expression.ts';

const values: Readonly<Record<string, string>> = {
  BRANCH: 'feature/login',
  DEFAULT: 'main',
  SAME: 'main',
  EMPTY: '',
  BLANK: '  ',
  PATTERN: '/^feature/',
  WRONG: '/[/',
  NUMBER: '5',
};
const evaluate = (text: string) => parseExpression(text)?.((name) => values[name]) ?? null;

describe('expressions', () => {
  test.each<[string, boolean]>([
    ['$BRANCH', true],
    ['$EMPTY', false],
    ['$BLANK', false],
    ['$MISSING', false],
    ['$DEFAULT == "main"', true],
    ["$DEFAULT == 'main'", true],
    ['"main" == $DEFAULT', true],
    ['$DEFAULT == $SAME', true],
    ['$DEFAULT != "main"', false],
    ['$NUMBER == "5"', true],
    ['$MISSING == null', true],
    ['$EMPTY == null', false],
    ['$EMPTY == ""', true],
    ['$MISSING == ""', false],
    ['$DEFAULT != null', true],
    ['null == $MISSING', true],
    ['$BRANCH =~ /^feature/', true],
    ['$BRANCH =~ /^FEATURE/', false],
    ['$BRANCH =~ /^FEATURE/i', true],
    ['$BRANCH !~ /^feature/', false],
    ['$BRANCH =~ /feature\\/log/', true],
    ['$MISSING =~ /x/', false],
    ['$MISSING !~ /x/', true],
    ['$EMPTY =~ /^$/', true],
    ['$BRANCH =~ $PATTERN', true],
    ['$DEFAULT =~ $PATTERN', false],
    ['$BRANCH =~ $MISSING', false],
    ['$BRANCH =~ $WRONG', false],
    ['$DEFAULT =~ "main"', true],
    ['$DEFAULT =~ "mai."', false],
    ['$EMPTY || $DEFAULT', true],
    ['$EMPTY && $DEFAULT', false],
    ['$DEFAULT && $BRANCH', true],
    ['$EMPTY && $EMPTY || $DEFAULT', true],
    ['$DEFAULT || $EMPTY && $EMPTY', true],
    ['($DEFAULT || $EMPTY) && $EMPTY', false],
    ['$DEFAULT == "main" && ($BRANCH =~ /x/ || $BRANCH =~ /login$/)', true],
    ['(($DEFAULT))', true],
    ['$DEFAULT=="main"&&$SAME=="main"', true],
    ['  $DEFAULT  ', true],
    ['$DEFAULT ==\n "main"', true],
  ])('%s is %s', (text, result) => {
    expect(evaluate(text)).toBe(result);
  });

  test.each([
    '',
    ' ',
    'main',
    '$',
    '$A ==',
    '== $A',
    '$A == == $B',
    '$A = "b"',
    '$A & $B',
    '($A',
    '$A)',
    '()',
    '$A $B',
    '"open',
    '/re/',
    '$A =~ /re',
    '$A =~ /[/',
    '$A =~ null',
    '$A == /re/',
    '$\u007bA} == "b"',
    '%A% == "b"',
    '$A =~ /(?=a)/',
    '$A == "b" == "c"',
    '!$A',
  ])('%s is none', (text) => {
    expect(parseExpression(text)).toBeNull();
  });

  test('a deep nest of brackets is none, a long list of conditions is one', () => {
    expect(parseExpression(`${'('.repeat(5000)}$A${')'.repeat(4000)}`)).toBeNull();
    expect(evaluate(Array.from({ length: 900 }, () => '$EMPTY').join(' || '))).toBe(false);
  });

  test('a pattern that would take other engines ages ends at once', () => {
    expect(parseExpression('$A =~ /^(a+)+$/')?.(() => `${'a'.repeat(50_000)}b`)).toBe(false);
  });

  test('any text is an expression or none', () => {
    const part = fc.constantFrom(
      '$A',
      '"b"',
      "'c'",
      'null',
      '/d/',
      '==',
      '!=',
      '=~',
      '!~',
      '&&',
      '||',
      '(',
      ')',
      ' ',
      '$',
      '/',
      '"',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join(' ')),
        ),
        (text) => {
          const expression = parseExpression(text);
          if (expression) expect(typeof expression(() => 'x')).toBe('boolean');
        },
      ),
      { numRuns: 2000 },
    );
  });
});
