import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { describe, expect, test } from 'vitest';
import { createRouter } from './router.ts';

const route = createRouter(endpoints, 'ultimate');
const shapeOf = (path: string) => path.replace(/[:*]\w+/g, '1');

describe('every endpoint', () => {
  const shapes = new Map<string, string[]>();
  for (const { path, method } of endpoints)
    shapes.set(shapeOf(path), [...(shapes.get(shapeOf(path)) ?? []), method]);

  test.each([...shapes])('%s is routed for %j and for no other method', (path, methods) => {
    for (const method of methods)
      expect(route(method, path)).toMatchObject({ kind: 'endpoint', endpoint: { method } });
    for (const method of ['OPTIONS', 'TRACE', 'get', 'constructor']) {
      const refused = route(method, path);
      const allow = refused.kind === 'method-not-allowed' ? refused.allow.split(', ') : [];
      expect(allow).toEqual(expect.arrayContaining([...methods, 'OPTIONS']));
      if (allow.includes('GET')) expect(allow).toContain('HEAD');
    }
  });
});

test.each([
  ['/projects/a%2Fb/issues/7', { id: 'a/b', issue_iid: '7' }],
  ['/projects/a%2Fb/issues/7/', { id: 'a/b', issue_iid: '7' }],
  ['/projects/1/repository/files/src%2F%2E%2E%2Fx', { id: '1', file_path: 'src/../x' }],
  ['/projects/1/jobs/2/artifacts/out/a%20b.txt', { id: '1', job_id: '2', artifact_path: 'out/a b.txt' }],
  ['/projects/1/jobs/2/artifacts/out%2Fa', { job_id: '2', artifact_path: 'out/a' }],
  ['/projects/1/jobs/artifacts/a%2Fb/raw/x/y', { ref_name: 'a/b', artifact_path: 'x/y' }],
])('%s: parameters are decoded after routing', (path, params) => {
  expect(route('GET', path)).toMatchObject({ kind: 'endpoint', params });
});

test.each(['', '/', '/nonsense', '/projects/a/b', '/projects/%', '/Projects', '/projects/1/issues/7/%ff'])(
  '%s is unknown',
  (path) => expect(route('GET', path)).toEqual({ kind: 'unknown' }),
);

test('an endpoint of another edition is unknown for every method', () => {
  const free = createRouter(endpoints, 'free');
  const paid = endpoints.find(({ tier }) => tier !== 'free')!;
  for (const method of [paid.method, 'OPTIONS'])
    expect(free(method, shapeOf(paid.path))).toEqual({ kind: 'unknown' });
});
