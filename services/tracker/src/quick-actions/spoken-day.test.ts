import { expect, test } from 'vitest';
import { dayOf, mediumDate } from './spoken-day.ts';

/** A Thursday. */
const TODAY = '2030-01-31';

test.each([
  ['2030-12-24', '2030-12-24'],
  [' Today ', TODAY],
  ['tomorrow', '2030-02-01'],
  ['friday', '2030-02-01'],
  ['this thursday', '2030-02-07'],
  ['next week', '2030-02-07'],
  ['next month', '2030-02-28'],
  ['in a day', '2030-02-01'],
  ['in 2 weeks', '2030-02-14'],
  ['in 13 months', '2031-02-28'],
])('%s', (text, day) => {
  expect(dayOf(text, TODAY)).toBe(day);
});

test.each(['', 'someday', '2030-02-30', '2030-1-1', 'in 9999 months of', 'in 99999 days', 'in -1 days'])(
  '%j is no day',
  (text) => {
    expect(dayOf(text, TODAY)).toBeNull();
  },
);

test('a day is told as people write it', () => {
  expect(mediumDate('2030-02-01')).toBe('Feb 1, 2030');
});
