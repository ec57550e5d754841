import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT_TOKEN } from '../support/calls.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
  await forgelog.post('/projects', { path: 'here', visibility: 'public', initialize_with_readme: true });
  await forgelog.post('/projects/1/issues', { title: 'first' });
});
afterAll(() => forgelog.stop());

const ORIGIN = { Origin: 'https://app.example' };
const ask = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
  fetch(forgelog.url + path, { method, headers: { ...ORIGIN, ...headers }, redirect: 'manual' });
const listed = (answer: Response, name: string) =>
  (answer.headers.get(name) ?? '').split(',').map((one) => one.trim().toLowerCase());

describe('a preflight', () => {
  const preflight = (path: string, method: string) =>
    ask(path, 'OPTIONS', {
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'private-token, sudo, content-type, x-of-tomorrow',
    });

  test.each([
    ['/api/v4/projects', 'POST'],
    ['//api/v4//projects/1', 'DELETE'],
    ['/api/v4/nothing', 'GET'],
    ['/api/v4/projects?private_token=wrong', 'PUT'],
  ])('%s for %s is let through without credentials, and kept', async (path, method) => {
    const answer = await preflight(path, method);
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(listed(answer, 'access-control-allow-methods')).toContain(method.toLowerCase());
    expect(listed(answer, 'access-control-allow-headers')).toEqual(
      expect.arrayContaining(['private-token', 'sudo', 'content-type', 'x-of-tomorrow']),
    );
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(600);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('an answer to another site', () => {
  test.each<[status: number, method: string, path: string, token?: string]>([
    [200, 'GET', '/api/v4/projects'],
    [200, 'HEAD', '/api/v4/projects'],
    [204, 'OPTIONS', '/api/v4/projects'],
    [400, 'GET', '/api/v4/projects?sudo[]=1'],
    [401, 'GET', '/api/v4/projects', 'wrong'],
    [404, 'GET', '/api/v4/nothing'],
    [405, 'PATCH', '/api/v4/projects'],
    [415, 'POST', '/api/v4/projects', ROOT_TOKEN],
  ])('%i: %s %s may be read by it', async (status, method, path, token) => {
    const answer = await fetch(forgelog.url + path, {
      method,
      headers: { ...ORIGIN, Cookie: 'session=x', ...(token && { 'PRIVATE-TOKEN': token }) },
      ...(method === 'POST' && { body: 'text' }),
    });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('exposes every header that answers have', async () => {
    // Browsers show these anyway, or they are none of the answer's.
    const plain =
      /^(cache-control|content-(language|length|type)|expires|last-modified|pragma|date|connection|keep-alive|vary|transfer-encoding|access-control-.*|x-content-type-options|content-security-policy|x-accel-buffering)$/;
    const paths = [
      '/api/v4/projects?per_page=1',
      '/api/v4/projects/1/issues?page=2&per_page=1',
      '/api/v4/projects/1/repository/files/README.md?ref=main',
      '/api/v4/projects/1/repository/files/README.md/raw?ref=main',
      '/api/v4/projects/1/repository/commits',
      '/api/v4/projects/1/repository/archive',
      '/api/v4/user',
    ];
    for (const path of paths) {
      const answer = await ask(path, 'GET', { 'PRIVATE-TOKEN': ROOT_TOKEN });
      expect([path, answer.status]).toEqual([path, 200]);
      const shown = listed(answer, 'access-control-expose-headers');
      const hidden = [...answer.headers.keys()].filter((name) => !plain.test(name) && !shown.includes(name));
      expect([path, hidden]).toEqual([path, []]);
    }
    const shown = listed(await ask('/api/v4/projects'), 'access-control-expose-headers');
    expect(shown).toEqual(expect.arrayContaining(['x-total', 'link', 'retry-after', 'ratelimit-remaining']));
  });

  test('with a known ETag is a 304 that scripts may read', async () => {
    const etag = (await ask('/api/v4/projects/1')).headers.get('etag')!;
    const again = await ask('/api/v4/projects/1', 'GET', { 'If-None-Match': etag });
    expect([again.status, again.headers.get('access-control-allow-origin')]).toEqual([304, '*']);
    expect(again.headers.get('vary')).toContain('Origin');
  });
});

test('requests without an Origin, git and the pages get no CORS headers', async () => {
  const none = await fetch(`${forgelog.url}/api/v4/projects`);
  const others = ['/root/here.git/info/refs?service=git-upload-pack', '/-/health', '/-/metrics', '/nothing'];
  for (const answer of [none, ...(await Promise.all(others.map((path) => ask(path)))), await ask('/-/docs')])
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});
