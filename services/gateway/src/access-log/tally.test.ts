import { expect, test } from 'vitest';
import { Tally } from './tally.ts';

const count = (tally: Tally<string>, cause: string, now: number) =>
  tally.repeats(cause, now) || tally.begin(cause, now, cause);

test('a cause is handed out when it is new, and its repeats at the end of the window', () => {
  const tally = new Tally<string>({ windowMs: 100, most: 10 });
  for (const now of [110, 120, 130]) count(tally, 'a', now);
  expect(tally.take(131)).toEqual([{ facts: 'a', count: 3, firstAt: 110, lastAt: 130 }]);
  for (const now of [140, 150]) count(tally, 'a', now);
  expect(tally.take(160)).toEqual([]);
  expect(tally.take(200)).toEqual([{ facts: 'a', count: 2, firstAt: 140, lastAt: 150 }]);
  expect(tally.take(300)).toEqual([]);
});

test('a window ends on a multiple of its length, also for what nobody took before', () => {
  const tally = new Tally<string>({ windowMs: 100, most: 10 });
  for (const now of [199, 200, 201]) count(tally, 'a', now);
  expect(tally.take(202)).toEqual([
    { facts: 'a', count: 1, firstAt: 199, lastAt: 199 },
    { facts: 'a', count: 2, firstAt: 200, lastAt: 201 },
  ]);
});

test('causes beyond the limit are told, until others end', () => {
  const tally = new Tally<string>({ windowMs: 100, most: 2 });
  expect(['a', 'b', 'c', 'a'].map((cause) => count(tally, cause, 10))).toEqual([true, true, false, true]);
  expect(tally.take(100)).toHaveLength(2);
  expect(count(tally, 'c', 101)).toBe(true);
});

test('what goes on is handed out at a stop', () => {
  const tally = new Tally<string>({ windowMs: 100, most: 2 });
  count(tally, 'a', 1);
  tally.take(2);
  count(tally, 'a', 3);
  expect(tally.take(4)).toEqual([]);
  expect(tally.take(5, true)).toEqual([{ facts: 'a', count: 1, firstAt: 3, lastAt: 3 }]);
  expect(tally.take(6, true)).toEqual([]);
});
