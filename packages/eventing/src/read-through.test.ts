import { expect, test } from 'vitest';
import { ReadThrough } from './read-through.ts';

test('reads once, until it is told to forget', async () => {
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

test('does not keep what was read before it was told to forget', async () => {
  for (const forget of ['forget', 'forgetAll'] as const) {
    const cache = new ReadThrough<string, string>(10);
    const reading = cache.read('a', async () => 'old');
    cache[forget]('a');
    expect(await reading).toBe('old');
    expect(cache.get('a')).toBeUndefined();
  }
});

test('asks again for what is not there', async () => {
  const cache = new ReadThrough<string, string>(10);
  expect(await cache.read('a', async () => undefined)).toBeUndefined();
  expect(await cache.read('a', async () => 'now')).toBe('now');
});
