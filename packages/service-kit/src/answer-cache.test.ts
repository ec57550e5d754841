import { expect, test } from 'vitest';
import { AnswerCache, type WholeAnswer } from './answer-cache.ts';

const answer: WholeAnswer = { body: '{}', etag: 'W/"e"', headers: [], isOneByte: true };
const now = new Date('2024-01-01T12:00:00Z');

const asking = (cache: AnswerCache, path: string, position = '1') =>
  cache.of({ request: { method: 'GET' }, path, search: '', principal: null, position });

test('an answer is kept when it is asked for a second time, until the log grows', () => {
  const cache = new AnswerCache(() => now);
  expect(asking(cache, '/a')).toBeUndefined();
  asking(cache, '/a')?.keep?.(answer);
  expect(asking(cache, '/a')?.whole).toBe(answer);
  expect(asking(cache, '/a', '2')).toBeUndefined();
});

test('what was asked for once is known while a thousand other addresses come, and forgotten in the end', () => {
  const cache = new AnswerCache(() => now);
  asking(cache, '/a');
  const askOthers = (count: number, name: string) => {
    for (let at = 0; at < count; at += 1) asking(cache, `/${name}/${at}`);
  };
  askOthers(1000, 'first');
  expect(asking(cache, '/a')?.keep).toBeDefined();
  askOthers(2000, 'then');
  expect(asking(cache, '/a')).toBeUndefined();
});
