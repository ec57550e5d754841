import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { rawRequest } from '../support/raw-request.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
  await forgelog.post('/projects', { path: 'here', visibility: 'public' });
});
afterAll(() => forgelog.stop());

const PAGE = 'GET, HEAD, OPTIONS';
const ASKED: readonly [path: string, method: string, allow: string][] = [
  ['/api/v4/projects', 'DELETE', 'GET, HEAD, POST, OPTIONS'],
  ['/api/v4/projects/1/issues/1', 'POST', 'GET, HEAD, PUT, DELETE, OPTIONS'],
  ['/api/v4/version', 'PUT', PAGE],
  ['/-/health', 'POST', PAGE],
  ['/-/liveness', 'PUT', PAGE],
  ['/-/readiness', 'DELETE', PAGE],
  ['/-/metrics', 'POST', PAGE],
  ['/-/docs', 'POST', PAGE],
  ['/-/docs/swagger-ui.css', 'DELETE', PAGE],
  ['/root/here.git/info/refs?service=git-upload-pack', 'POST', 'GET, OPTIONS'],
  ['/root/here.git/git-upload-pack', 'GET', 'POST, OPTIONS'],
  ['/root/here.git/git-receive-pack', 'PUT', 'POST, OPTIONS'],
];

test.each(ASKED)(
  '%s refuses %s and lists the allowed methods, also to OPTIONS',
  async (path, method, allow) => {
    const headers = { 'PRIVATE-TOKEN': forgelog.rootToken };
    const refused = await fetch(forgelog.url + path, { method, headers });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, allow]);
    const asked = await fetch(forgelog.url + path, { method: 'OPTIONS' });
    expect([asked.status, asked.headers.get('allow'), await asked.text()]).toEqual([204, allow, '']);
  },
);

test('OPTIONS of an unknown path is a 404, and OPTIONS * lists every method', async () => {
  for (const path of ['/api/v4/nothing', '/-/nothing', '/-/docs/nothing', '/nothing'])
    expect((await fetch(forgelog.url + path, { method: 'OPTIONS' })).status).toBe(404);
  const whole = await rawRequest(forgelog.url, ['OPTIONS * HTTP/1.1', 'Connection: close']);
  expect(await whole.closed).toMatch(
    /^HTTP\/1.1 204 [\s\S]*^Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r$/m,
  );
});

test('a page beyond the largest offset is a 405 with an Allow header', async () => {
  const refused = await forgelog.get('/projects?per_page=100&page=501');
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
});
