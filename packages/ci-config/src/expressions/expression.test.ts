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

  /** An expression as text, and what it is worth by the rules of JavaScript. */
  interface Sample {
    text: string;
    isTrue: boolean;
  }
  const operand: fc.Arbitrary<{ text: string; value: string | null }> = fc.oneof(
    fc
      .constantFrom(...Object.keys(values), 'MISSING')
      .map((name) => ({ text: `$${name}`, value: values[name] ?? null })),
    fc.constantFrom('main', '', '5').map((value) => ({ text: `"${value}"`, value })),
    fc.constant({ text: 'null', value: null }),
  );
  const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
    sample: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'expression' },
      operand.map(({ text, value }) => ({ text, isTrue: (value ?? '').trim() !== '' })),
      fc.tuple(operand, fc.boolean(), operand).map(([left, isEqual, right]) => ({
        text: `${left.text} ${isEqual ? '==' : '!='} ${right.text}`,
        isTrue: (left.value === right.value) === isEqual,
      })),
      fc.tuple(operand, fc.boolean(), fc.constantFrom('^m', 'a', '5$')).map(([left, isFound, pattern]) => ({
        text: `${left.text} ${isFound ? '=~' : '!~'} /${pattern}/`,
        isTrue: (left.value !== null && new RegExp(pattern).test(left.value)) === isFound,
      })),
      tie('sample').map(({ text, isTrue }) => ({ text: `(${text})`, isTrue })),
      // Without brackets && binds closer, so its parts are in brackets wherever they hold an ||.
      fc.array(tie('sample'), { minLength: 2, maxLength: 3 }).map((parts) => ({
        text: parts.map(({ text }) => (text.includes('||') ? `(${text})` : text)).join(' && '),
        isTrue: parts.every(({ isTrue }) => isTrue),
      })),
      fc.array(tie('sample'), { minLength: 2, maxLength: 3 }).map((parts) => ({
        text: parts.map(({ text }) => text).join('||'),
        isTrue: parts.some(({ isTrue }) => isTrue),
      })),
    ),
  }));

  test('is worth what its parts are worth', () => {
    fc.assert(
      fc.property(sample, ({ text, isTrue }) => {
        expect(evaluate(text)).toBe(isTrue);
      }),
      { numRuns: 1000 },
    );
  });
});
