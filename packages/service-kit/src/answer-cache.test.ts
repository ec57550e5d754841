import { downloadDependency } from '@forgelog/contracts/ci/artifacts/runner-artifact.api.ts';
import { listReleases } from '@forgelog/contracts/repo/releases/release.api.ts';
import { expect, test } from 'vitest';
import { AnswerCache, type CachedAnswer, isCacheable } from './answer-cache.ts';
import type { Principal } from './principal.ts';

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

test('a first request is remembered while some hundred others arrive, and forgotten after very many', () => {
  const cache = new AnswerCache(() => now);
  const requestOthers = (count: number, name: string) => {
    for (let at = 0; at < count; at += 1) lookup(cache, `/${name}/${at}`);
  };
  const remembered = () => {
    let count = 0;
    for (let at = 0; at < 100; at += 1) if (lookup(cache, `/some/${at}`)?.store) count++;
    return count;
  };
  requestOthers(100, 'some');
  requestOthers(500, 'first');
  expect(remembered()).toBeGreaterThan(80);
  requestOthers(200_000, 'then');
  expect(remembered()).toBeLessThan(20);
});

test('callers and queries do not share an answer', () => {
  const cache = new AnswerCache(() => now);
  const principal = (userId: number): Principal => ({
    ...{ userId, username: 'a', name: 'A', email: '', isAdmin: false, external: false },
    ...{ scopes: ['api'], credential: { kind: 'personal_access_token', id: 1 }, onBehalfBy: null },
  });
  const ask = (caller: Principal | null, search: string) =>
    cache.lookup({ request: { method: 'GET' }, path: '/a', search, principal: caller, position: '1' });
  ask(principal(1), 'x=1');
  ask(principal(1), 'x=1')?.store?.(answer);
  expect(ask(principal(1), 'x=1')?.hit).toBe(answer);
  for (const other of [ask(principal(2), 'x=1'), ask(null, 'x=1'), ask(principal(1), 'x=2')])
    expect(other?.hit).toBeUndefined();
});

test('tokens of jobs do not share an answer with each other or with their user', () => {
  const cache = new AnswerCache(() => now);
  const principal = (kind: 'job_token' | 'personal_access_token', id: number): Principal => ({
    ...{ userId: 1, username: 'a', name: 'A', email: '', isAdmin: false, external: false },
    ...{ scopes: ['api'], credential: { kind, id }, onBehalfBy: null },
  });
  const ask = (caller: Principal) =>
    cache.lookup({ request: { method: 'GET' }, path: '/a', search: '', principal: caller, position: '1' });
  ask(principal('job_token', 1));
  ask(principal('job_token', 1))?.store?.(answer);
  expect(ask(principal('job_token', 1))?.hit).toBe(answer);
  for (const other of [principal('job_token', 2), principal('personal_access_token', 1)]) {
    ask(other);
    expect(ask(other)?.hit).toBeUndefined();
  }
});

test('an endpoint that reads the token of a job by itself is not cached', () => {
  expect([downloadDependency, listReleases].map(isCacheable)).toEqual([false, true]);
});
