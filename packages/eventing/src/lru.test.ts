import { expect, test } from 'vitest';
import { createLru } from './lru.ts';

test('the value that was not used for longest makes room, and replacing one needs none', () => {
  const cache = createLru<string, number>(2);
  cache.set('a', 0).set('b', 1).set('b', 2);
  expect(cache.get('a')).toBe(0);
  cache.set('c', 3);
  expect([...cache.keys()]).toEqual(['c', 'a']);
  cache.clear();
  cache.set('d', 4).set('e', 5);
  expect([...cache.entries()]).toEqual([
    ['e', 5],
    ['d', 4],
  ]);
});

test('a large cache takes no room before it has values', () => {
  const before = process.memoryUsage();
  const caches = Array.from({ length: 100 }, () => createLru<number, number>(50_000));
  const after = process.memoryUsage();
  expect(caches.map(({ size }) => size)).not.toContain(1);
  const taken = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  // Reserved, they would take more than 100 MB.
  expect(taken).toBeLessThan(20_000_000);
});
