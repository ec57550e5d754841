import { expect, test } from 'vitest';
import { highest, RecentCounts } from './recent-counts.ts';

const WINDOW = 1000;
const counting = (most = 10) => new RecentCounts<string>({ windowMs: WINDOW, most });

test('what happened in the window before fades, and is gone after it', () => {
  const counts = counting();
  for (let times = 0; times < 8; times += 1) counts.add('a', 5_000);
  expect([...counts.read(5_999)]).toEqual([['a', 8]]);
  counts.add('b', 6_000);
  expect([...counts.read(6_000)]).toEqual([
    ['b', 1],
    ['a', 8],
  ]);
  expect(counts.read(6_750).get('a')).toBe(2);
  expect([...counts.read(7_000)]).toEqual([['b', 1]]);
  expect([...counts.read(8_000)]).toEqual([]);
  counts.add('c', 50_000);
  expect([...counts.read(50_001)]).toEqual([['c', 1]]);
});

test('any number of keys takes bounded memory, and hides none that is frequent', () => {
  const counts = counting(10);
  for (let at = 0; at < 10_000; at += 1) {
    counts.add(`stranger ${at}`, 1);
    if (at % 4 === 0) counts.add('frequent', 1);
  }
  const kept = counts.read(1);
  expect(kept.size).toBeLessThanOrEqual(10);
  expect(highest(kept, 1)[0]![0]).toBe('frequent');
  // Each stranger took at most a tenth off it.
  expect(kept.get('frequent')).toBeGreaterThan(2_500 - 12_500 / 10);
});
