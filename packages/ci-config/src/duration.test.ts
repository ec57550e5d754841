import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

test.each<[string, number]>([
  ['42', 42],
  ['42 seconds', 42],
  ['3 mins 4 sec', 184],
  ['2 hrs 20 min', 8400],
  ['2h20min', 8400],
  ['6 mos 1 day', 15_638_400],
  ['47 yrs 6 mos and 4d', 1_499_104_800],
  ['3 weeks and 2 days', 1_987_200],
  ['1h, 30m', 5400],
  ['1.5 hours', 5400],
  ['1:30:00', 5400],
  ['10:20', 620],
  ['1 WEEK', 604_800],
  [' 1 day ', 86_400],
  ['0', 0],
])('%s is %d seconds', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

test.each([
  '',
  ' ',
  'soon',
  '1 fortnight',
  '-1 day',
  '1 day x',
  '1 constructor',
  '1::2',
  'and',
  '1'.repeat(200),
  '1e9 years',
])('%j is none', (text) => {
  expect(parseDuration(text)).toBeNull();
});

test('any text is a whole number of seconds or none', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const seconds = parseDuration(text);
      if (seconds !== null) expect(Number.isSafeInteger(seconds) && seconds >= 0).toBe(true);
    }),
  );
});
