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

test('loads what is missing of several at once, and keeps it until it is forgotten', async () => {
  const cache = new ReadThrough<string, string>(10);
  const asked: string[][] = [];
  const readAll = (...keys: string[]) =>
    cache.readAll(keys, async (missing) => {
      asked.push(missing);
      return missing.filter((key) => key !== 'none').map((key) => [key, `${key} ${asked.length}`] as const);
    });
  expect([...(await readAll('a', 'none'))]).toEqual([['a', 'a 1']]);
  expect([...(await readAll('a', 'b'))]).toEqual([
    ['a', 'a 1'],
    ['b', 'b 2'],
  ]);
  cache.forget('a');
  const reading = readAll('a', 'b');
  cache.forget('a');
  await reading;
  expect([...(await readAll('a'))]).toEqual([['a', 'a 4']]);
  expect(asked).toEqual([['a', 'none'], ['b'], ['a'], ['a']]);
});
