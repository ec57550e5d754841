import fc from 'fast-check';
import { expect, test } from 'vitest';
import { humanDuration, parseDuration } from './duration.ts';

test.each([
  ['3h30m', 12_600],
  ['3h 30m', 12_600],
  ['1mo', 4 * 5 * 8 * 3600],
  ['1w', 5 * 8 * 3600],
  ['1d', 8 * 3600],
  ['1mo 2w 3d 4h 5m 6s', 576_000 + 288_000 + 86_400 + 14_400 + 300 + 6],
  ['1.5h', 5400],
  ['1.5 hours', 5400],
  ['2 hours and 5 minutes', 7500],
  ['1 day, 2 hrs', 36_000],
  ['-1h30m', -5400],
  ['- 30m', -1800],
  ['5', 18_000],
  ['0h', 0],
  ['-0h', 0],
  ['90m', 5400],
  ['1H', 3600],
])('%s', (text, seconds) => expect(parseDuration(text)).toBe(seconds));

test.each(['', ' ', '-', 'x', '3x', 'h', '1h x', '1h-2m', '--1h', '1..5h', '1e9h', '٣h', 'and', '1h and'])(
  '%j is no duration',
  (text) => expect(parseDuration(text)).toBeNull(),
);

test('time is told in the largest units, and nothing is not told', () => {
  expect(humanDuration(12_600)).toBe('3h 30m');
  expect(humanDuration(576_000 + 144_000 + 28_800 + 3600 + 60 + 1)).toBe('1mo 1w 1d 1h 1m 1s');
  expect(humanDuration(8 * 3600)).toBe('1d');
  expect(humanDuration(0)).toBeNull();
});

test('what is told is understood', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), (seconds) => {
      expect(parseDuration(humanDuration(seconds)!)).toBe(seconds);
    }),
  );
});
