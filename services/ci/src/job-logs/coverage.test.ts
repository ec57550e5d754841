import { expect, test } from 'vitest';
import { coverageIn } from './coverage.ts';

test.each<[string, string, string, number | null]>([
  ['a number', 'Coverage: 71.5%', '/\\d+\\.\\d+%/', 71.5],
  ['the last line counts', 'all 10%\nall 20%\nbye', '/all \\d+%/', 20],
  ['and its last match', '10% 20% of 30', '/\\d+%/', 20],
  ['a group names it', 'Lines 5: 42 percent', '/Lines 5: (\\d+) percent/', 42],
  ['the last group that takes part', 'statements 12', '/statements (\\d+)|lines (\\d+)/', 12],
  ['a match without a number', '7%\ncoverage unknown', '/coverage \\w+|\\d+%/', 7],
  ['lines of other systems', 'total 8%\r\n', '/^total \\d+%$/', 8],
  ['colors', '\u001b[32mTOTAL 93.1%\u001b[0m', '/TOTAL\\s+(\\S+)%/', 93.1],
  ['an empty match ends', 'abc 5', '/x*/', null],
  ['a number beyond all measure', `1${'0'.repeat(400)}%`, '/\\d+%/', null],
  ['an empty log', '', '/\\d+/', null],
  ['no match', 'nothing', '/\\d+/', null],
])('%s', async (_, log, pattern, expected) => {
  expect(await coverageIn(log, pattern)).toBe(expected);
});

test('a line that is too long for its pattern is left out', async () => {
  const log = `short 5%\nlong ${'x'.repeat(300_000)} 6%\n`;
  expect(await coverageIn(log, '/\\d+%/')).toBe(5);
});

test('hostile patterns end early', async () => {
  const lines = `${'x'.repeat(100)}\n`.repeat(2000);
  expect(await coverageIn('5y\n', '/(?:\\d?x*)*y|x/')).toBe(5);
  expect(await coverageIn(`5y\n${lines}`, '/(?:\\d?x*)*y|x/')).toBeNull();
  expect(await coverageIn(`${'x'.repeat(1000)} 5`, '/(?:x{0,30}){0,30}5$/')).toBeNull();
});

test('other work goes on while a large log is searched', async () => {
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  });
  await coverageIn(`${'x1y '.repeat(500)}\n`.repeat(400), '/\\d+%$/');
  clearInterval(counting);
  expect(turns).toBeGreaterThan(0);
});
