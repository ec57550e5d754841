import { expect, test } from 'vitest';
import { ReadThrough } from './read-through.ts';

test('reads once until the entry is forgotten', async () => {
  const cache = new ReadThrough<string, number>(10);
  let value = 1;
  const read = () => cache.read('a', async () => value);
  expect(await read()).toBe(1);
  value = 2;
  expect(await read()).toBe(1);
  cache.forget('a');
  expect(await read()).toBe(2);
  cache.forgetAll();
  expect(cache.get('a')).toBeUndefined();
});

test('does not cache a read that began before a forget', async () => {
  for (const forget of ['forget', 'forgetAll'] as const) {
    const cache = new ReadThrough<string, string>(10);
    const reading = cache.read('a', async () => 'old');
    cache[forget]('a');
    expect(await reading).toBe('old');
    expect(cache.get('a')).toBeUndefined();
  }
});

test('reads again when nothing was found', async () => {
  const cache = new ReadThrough<string, string>(10);
  expect(await cache.read('a', async () => undefined)).toBeUndefined();
  expect(await cache.read('a', async () => 'now')).toBe('now');
});
