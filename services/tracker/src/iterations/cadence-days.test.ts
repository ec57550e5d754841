import { expect, test } from 'vitest';
import { missingSpans } from './cadence-days.ts';

const fortnights = { startDate: '2030-01-07', durationInWeeks: 2, iterationsInAdvance: 2 };
const days = (there: Parameters<typeof missingSpans>[1], today: string, more = {}) =>
  missingSpans({ ...fortnights, ...more }, there, today).map(({ startDate, dueDate }) => [
    startDate,
    dueDate,
  ]);
const first = { startDate: '2030-01-07', dueDate: '2030-01-20' };

test('a cadence has its current iteration and so many upcoming ones', () => {
  expect(days([], '2030-01-01')).toEqual([
    ['2030-01-07', '2030-01-20'],
    ['2030-01-21', '2030-02-03'],
  ]);
  expect(days([], '2030-01-07')).toEqual([
    ['2030-01-07', '2030-01-20'],
    ['2030-01-21', '2030-02-03'],
    ['2030-02-04', '2030-02-17'],
  ]);
  const second = { startDate: '2030-01-21', dueDate: '2030-02-03' };
  expect(days([first, second], '2030-01-01')).toEqual([]);
  expect(days([first, second], '2030-01-20')).toEqual([['2030-02-04', '2030-02-17']]);
});

test('what would be over is left out, and the days of the cadence stay', () => {
  expect(days([first], '2034-12-31', { iterationsInAdvance: 1 })).toEqual([
    ['2034-12-18', '2034-12-31'],
    ['2035-01-01', '2035-01-14'],
  ]);
  expect(days([], '2030-01-20', { iterationsInAdvance: 1 })[0]).toEqual(['2030-01-07', '2030-01-20']);
  expect(days([], '2030-01-21', { iterationsInAdvance: 1 })[0]).toEqual(['2030-01-21', '2030-02-03']);
});

test('a later start goes on there, and the end of time is an end', () => {
  expect(days([first], '2030-01-08', { startDate: '2030-03-04', iterationsInAdvance: 1 })).toEqual([
    ['2030-03-04', '2030-03-17'],
  ]);
  expect(days([], '2030-01-01', { startDate: '9999-12-20' })).toEqual([]);
});
