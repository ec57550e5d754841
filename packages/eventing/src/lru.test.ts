import { expect, test } from 'vitest';
import { Lru } from './lru.ts';

test('what is used stays, what is not used goes', () => {
  const lru = new Lru<number, string>(10);
  lru.set(0, 'used');
  for (let key = 1; key <= 100; key += 1) {
    expect(lru.get(0)).toBe('used');
    lru.set(key, `value ${key}`);
  }
  expect(lru.get(0)).toBe('used');
  expect(lru.get(1)).toBeUndefined();
});

test('it holds the half that was used last, and never more than its capacity', () => {
  const lru = new Lru<number, number>(10);
  for (let key = 0; key < 1000; key += 1) {
    lru.set(key, key);
    for (let back = 0; back < 5; back += 1) if (key - back >= 0) expect(lru.get(key - back)).toBe(key - back);
  }
  const held = Array.from({ length: 1000 }, (_, key) => key).filter((key) => lru.get(key) !== undefined);
  expect(held.length).toBeLessThanOrEqual(10);
});

test('a value that was replaced, deleted or cleared does not come back from the older generation', () => {
  const lru = new Lru<string, number>(4);
  lru.set('a', 1);
  lru.set('b', 1);
  lru.set('c', 1);
  lru.set('a', 2);
  expect(lru.get('a')).toBe(2);
  lru.delete('a');
  expect(lru.get('a')).toBeUndefined();
  expect(lru.get('b')).toBe(1);
  lru.clear();
  expect(lru.get('b')).toBeUndefined();
});
