import { Rejection } from '@forgelog/contracts/errors.ts';
import { expect, test } from 'vitest';
import { requireUnmodifiedSince } from './precondition.ts';

const CHANGED = Date.UTC(1994, 10, 6, 8, 49, 37, 900);
const holds = (given: string | string[] | undefined, changedAt: string | number | null) => {
  try {
    requireUnmodifiedSince({ 'if-unmodified-since': given }, changedAt);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ status: 412 });
    expect(error).toBeInstanceOf(Rejection);
    return false;
  }
};

test.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
  '%s holds for what changed within this second, and not for what changed after it',
  (given) => {
    expect([holds(given, CHANGED), holds(given, CHANGED + 100)]).toEqual([true, false]);
  },
);

test.each([
  '',
  'yesterday',
  'garbage 1',
  '0',
  '1994-11-06T08:49:37Z',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 08:49:37 +0100',
  'Sun, 99 Nov 1994 99:99:99 GMT',
  'Sun, 06 Foo 1994 08:49:37 GMT',
  undefined,
])('%j is no date and counts as none', (given) => {
  expect(holds(given, CHANGED)).toBe(true);
});

test('accepts the time format of records', () => {
  expect(holds('Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.999Z')).toBe(true);
  expect(holds('Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:38.000Z')).toBe(false);
});

test('without a time of change every request passes', () => {
  expect(holds('Sun, 06 Nov 1994 08:49:37 GMT', null)).toBe(true);
});
