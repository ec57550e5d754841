import { expect, test } from 'vitest';
import { AnswerCache, type CachedAnswer } from './answer-cache.ts';

const answer: CachedAnswer = { body: '{}', etag: 'W/"e"', headers: [], isOneByte: true };
const now = new Date('2024-01-01T12:00:00Z');

const lookup = (cache: AnswerCache, path: string, position = '1') =>
  cache.lookup({ request: { method: 'GET' }, path, search: '', principal: null, position });

test('an answer is cached on its second request, until the log grows', () => {
  const cache = new AnswerCache(() => now);
  expect(lookup(cache, '/a')).toBeUndefined();
  lookup(cache, '/a')?.store?.(answer);
  expect(lookup(cache, '/a')?.hit).toBe(answer);
  expect(lookup(cache, '/a', '2')).toBeUndefined();
});

test('a first request is remembered for a thousand other addresses, then forgotten', () => {
  const cache = new AnswerCache(() => now);
  lookup(cache, '/a');
  const requestOthers = (count: number, name: string) => {
    for (let at = 0; at < count; at += 1) lookup(cache, `/${name}/${at}`);
  };
  requestOthers(1000, 'first');
  expect(lookup(cache, '/a')?.store).toBeDefined();
  requestOthers(2000, 'then');
  expect(lookup(cache, '/a')).toBeUndefined();
});
