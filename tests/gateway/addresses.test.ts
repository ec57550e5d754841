import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { send } from '../support/wire.ts';

let forgelog: Forgelog;
let outsider: TestUser;
beforeAll(async () => {
  forgelog = await startForgelog();
  outsider = await createUser(forgelog, { username: 'outsider' });
  await forgelog.post('/projects', { path: 'hidden', visibility: 'private' });
  for (const title of ['one', 'two']) await forgelog.post('/projects/1/issues', { title });
});
afterAll(() => forgelog.stop());

const DOUBLED = [
  '//api/v4/projects/1/issues?per_page=1',
  '/api//v4/projects/1/issues?per_page=1',
  '/api/v4//projects/1/issues?per_page=1',
  '/api/v4/projects//1///issues?per_page=1',
  '/api/v4/projects/root%2Fhidden//issues//?per_page=1',
];

test.each(DOUBLED)('%s is answered like the path with single slashes', async (path) => {
  const plain = await send(forgelog, 'GET', path.replace(/\/{2,}/g, '/'));
  const doubled = await send(forgelog, 'GET', path);
  expect([doubled.status, doubled.text]).toEqual([200, plain.text]);
  // Further pages have the address that is served.
  expect(doubled.headers.link).toBe(plain.headers.link);
  expect(doubled.headers.link).not.toMatch(/[^:]\/\//);
});

test.each(DOUBLED)('%s needs the same rights as that path', async (path) => {
  expect((await send(forgelog, 'GET', path, { token: null })).status).toBe(404);
  expect((await send(forgelog, 'GET', path, { token: outsider.token })).status).toBe(404);
  expect((await send(forgelog, 'GET', path, { token: 'wrong' })).status).toBe(401);
});

test('writes and pages follow the same rule', async () => {
  const made = await send(forgelog, 'POST', '//api/v4//projects', { json: { path: 'made' } });
  expect([made.status, JSON.parse(made.text).path]).toEqual([201, 'made']);
  expect((await send(forgelog, 'GET', '//-//readiness', { token: null })).status).toBe(200);
  expect((await send(forgelog, 'GET', '/-//docs//', { token: null })).status).toBe(200);
});

test('the metrics name the path that is served', async () => {
  const counted = async () => {
    const { text } = await send(forgelog, 'GET', '/-/metrics');
    return Number(/requests_total\{endpoint="project-issue-list",status="200"\} (\d+)/.exec(text)?.[1]);
  };
  await send(forgelog, 'GET', '/api/v4/projects/1/issues');
  const before = await counted();
  await send(forgelog, 'GET', '//api//v4//projects/1/issues');
  expect(await counted()).toBe(before + 1);
});

test('an encoded slash is no separator', async () => {
  for (const path of ['/api/v4%2Fprojects', '/api/v4/%2Fprojects', '/api/v4/projects/root%2F%2Fhidden'])
    expect([path, (await send(forgelog, 'GET', path)).status]).toEqual([path, 404]);
});
