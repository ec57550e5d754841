import { expect, test } from 'vitest';
import { isFrozen } from './frozen.rules.ts';

const weekend = { freezeStart: '0 23 * * 5', freezeEnd: '0 7 * * 1', cronTimezone: 'UTC' };

test.each([
  ['2026-11-20T22:59:00Z', false],
  ['2026-11-20T23:01:00Z', true],
  ['2026-11-22T12:00:00Z', true],
  ['2026-11-23T06:59:00Z', true],
  ['2026-11-23T07:01:00Z', false],
])('a weekend is frozen at %s: %s', (now, expected) => {
  expect(isFrozen([weekend], new Date(now))).toBe(expected);
});

test('the time zone of a period counts, and one of several periods is enough', () => {
  const zoned = { ...weekend, cronTimezone: 'America/New_York' };
  expect(isFrozen([zoned], new Date('2026-11-21T03:59:00Z'))).toBe(false);
  expect(isFrozen([zoned], new Date('2026-11-21T04:01:00Z'))).toBe(true);
  expect(isFrozen([zoned, weekend], new Date('2026-11-21T03:00:00Z'))).toBe(true);
  expect(isFrozen([], new Date('2026-11-21T03:00:00Z'))).toBe(false);
});

test('a period that never begins freezes nothing', () => {
  const never = { freezeStart: '0 0 30 2 *', freezeEnd: '0 0 1 * *', cronTimezone: 'UTC' };
  expect(isFrozen([never], new Date('2026-11-21T03:00:00Z'))).toBe(false);
});
