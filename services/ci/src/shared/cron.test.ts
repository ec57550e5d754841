import { expect, test } from 'vitest';
import { isCron, isTimeZone, nextTime } from './cron.ts';

test.each(['30 2 * * *', '*/5 * * * 1-5', '0 0 * * MON-FRI', ' 0 0 1 1 * '])(
  '%j is a cron expression',
  (text) => {
    expect(isCron(text)).toBe(true);
  },
);

test.each(['', '@daily', '* * * * * *', '60 * * * *', 'a b c d e', '* * * *'])('%j is none', (text) => {
  expect(isCron(text)).toBe(false);
});

test('a time zone is one that the platform knows', () => {
  expect(['UTC', 'Europe/Berlin', 'Mars', '../UTC', ''].map(isTimeZone)).toEqual([
    ...[true, true, false, false, false],
  ]);
});

test.each([
  ['30 2 * * *', 'UTC', '2026-01-01T02:30:00.000Z', '2026-01-02T02:30:00.000Z'],
  ['* * * * *', 'UTC', '2026-01-01T00:00:30.500Z', '2026-01-01T00:01:00.000Z'],
  ['30 2 * * *', 'America/New_York', '2026-01-01T00:00:00.000Z', '2026-01-01T07:30:00.000Z'],
  ['0 0 31 2 *', 'UTC', '2026-01-01T00:00:00.000Z', null],
])('%j in %s after %s is at %s', (expression, zone, now, next) => {
  expect(nextTime(expression, zone, now)).toBe(next);
});

test('an hour that does not exist on a day runs an hour later, and one that exists twice runs once', () => {
  const next = (now: string) => nextTime('30 2 * * *', 'Europe/Berlin', now);
  expect(next('2026-03-28T12:00:00.000Z')).toBe('2026-03-29T01:00:00.000Z');
  const first = '2026-10-25T00:30:00.000Z';
  expect(next('2026-10-24T12:00:00.000Z')).toBe(first);
  expect(next(first)).toBe('2026-10-26T01:30:00.000Z');
});
