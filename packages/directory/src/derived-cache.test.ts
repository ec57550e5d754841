import { expect, test } from 'vitest';
import { createCalendar } from './calendar.ts';
import { DerivedCache } from './derived-cache.ts';

function place() {
  const directory = { changes: 0, day: '2024-05-01', today: () => directory.day };
  const cache = new DerivedCache<string, string>(directory, 10);
  let derived = 0;
  const read = () => cache.read('key', async () => `value ${++derived}`);
  return { directory, cache, read };
}

test('derived values are cached until something changes or the day ends', async () => {
  const { directory, read } = place();
  expect(await read()).toBe('value 1');
  expect(await read()).toBe('value 1');
  directory.changes += 1;
  expect(await read()).toBe('value 2');
  directory.day = '2024-05-02';
  expect(await read()).toBe('value 3');
  expect(await read()).toBe('value 3');
});

test('a value whose read overlaps a change is not cached', async () => {
  const { directory, cache, read } = place();
  let answer!: (value: string) => void;
  const slow = cache.read('key', () => new Promise((resolve) => (answer = resolve)));
  directory.changes += 1;
  answer('from before');
  expect(await slow).toBe('from before');
  expect(await read()).toBe('value 1');
});

test('a calendar follows its clock in both directions', () => {
  let now = Date.UTC(2024, 1, 29, 23, 59, 59, 999);
  const today = createCalendar(() => new Date(now));
  expect(today()).toBe('2024-02-29');
  now += 1;
  expect(today()).toBe('2024-03-01');
  now -= 1;
  expect(today()).toBe('2024-02-29');
});
