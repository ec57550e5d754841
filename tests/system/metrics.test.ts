import { expect, test } from 'vitest';
import { forgelogForTest } from '../support/forgelog.ts';
import { settleProject } from '../support/inhabitants.ts';
import { type Samples, scrape } from '../support/metrics.ts';

const figureOf = (samples: Samples, name: string, labels: Record<string, string> = {}) =>
  samples.find(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )?.value;

test('requests are counted by endpoint and status, with their durations', async () => {
  const forgelog = await forgelogForTest();
  for (let i = 0; i < 3; i++) await forgelog.get('/version');
  await forgelog.get('/version', { token: null });
  await forgelog.get('/nowhere');
  await fetch(`${forgelog.url}/-/liveness`);
  await fetch(`${forgelog.url}/some/repository.git/info/refs?service=git-upload-pack`);
  const { samples } = await scrape(forgelog.url);
  const requests = (labels: Record<string, string>) =>
    figureOf(samples, 'forgelog_http_requests_total', labels);
  expect(requests({ endpoint: 'version-get', status: '200' })).toBe(3);
  expect(requests({ endpoint: 'version-get', status: '401' })).toBe(1);
  expect(requests({ endpoint: 'none', status: '404' })).toBe(1);
  expect(requests({ endpoint: 'operations', status: '200' })).toBe(1);
  expect(requests({ endpoint: 'git-info-refs', status: '401' })).toBe(1);
  const name = 'forgelog_http_request_duration_seconds';
  expect(figureOf(samples, `${name}_count`, { endpoint: 'version-get' })).toBe(4);
  expect(figureOf(samples, `${name}_bucket`, { endpoint: 'version-get', le: '+Inf' })).toBe(4);
  expect(figureOf(samples, `${name}_sum`, { endpoint: 'version-get' })).toBeGreaterThan(0);
  // The scrape itself is under way.
  expect(figureOf(samples, 'forgelog_http_requests_in_flight')).toBe(1);
});

test('who asks for most and for what is told by id, and names that nobody has are not', async () => {
  const forgelog = await forgelogForTest();
  const { id } = (await forgelog.post('/projects', { name: 'busy', visibility: 'public' })).body;
  for (let i = 0; i < 3; i++) await forgelog.get(`/projects/${id}`);
  await forgelog.get('/projects/root%2Fbusy', { token: null });
  await fetch(`${forgelog.url}/root/busy.git/info/refs?service=git-upload-pack`);
  for (let i = 0; i < 30; i++) await forgelog.get(`/projects/nobody%2Fstrange-${i}`, { token: null });
  await fetch(`${forgelog.url}/-/liveness`);
  const { samples } = await scrape(forgelog.url);
  const busiest = (name: string) =>
    Object.fromEntries(
      samples
        .filter((sample) => sample.name === `forgelog_busiest_${name}_requests`)
        .map(({ labels: { user, project }, value }) => [user ?? project, value]),
    );
  const { id: root } = (await forgelog.get('/user')).body;
  // What came before the window began has faded a little.
  const users = busiest('users');
  expect(Object.keys(users).sort()).toEqual([String(root), 'anonymous']);
  expect(users.anonymous).toBeGreaterThan(users[root]!);
  expect(users[root]).toBeGreaterThan(1);
  const projects = busiest('projects');
  expect(Object.keys(projects)).toEqual([String(id)]);
  // Named by id, by path and by git, which are counted together.
  expect(projects[id]).toBeGreaterThan(users[root]!);
});

test('appends, subscribers of the log, feeds and git processes are measured', async () => {
  const forgelog = await forgelogForTest();
  const before = (await scrape(forgelog.url)).samples;
  await settleProject(forgelog, 'measured');
  await forgelog.get('/projects/root%2Fmeasured/repository/branches');
  const { samples } = await scrape(forgelog.url);
  const appended = (at: Samples) => figureOf(at, 'forgelog_events_appended_total') ?? 0;
  expect(appended(samples)).toBeGreaterThan(appended(before));
  expect(figureOf(samples, 'forgelog_append_duration_seconds_count')).toBeGreaterThan(0);
  expect(figureOf(samples, 'forgelog_append_failures_total', { reason: 'store' })).toBe(0);
  expect(figureOf(samples, 'forgelog_projection_lag_seconds', { projection: 'issues' })).toBe(0);
  expect(figureOf(samples, 'forgelog_projection_halted', { projection: 'issues' })).toBe(0);
  for (const weight of ['light', 'heavy', 'walk', 'session'])
    expect(figureOf(samples, 'forgelog_git_processes', { weight })).toBeGreaterThanOrEqual(0);
  expect(figureOf(samples, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
});

test('with a token set, the metrics require it', async () => {
  const token = 'token-of-prometheus';
  const { url } = await forgelogForTest({ environment: { METRICS_TOKEN: token } });
  const status = async (authorization?: string) =>
    (await fetch(`${url}/-/metrics`, { headers: authorization ? { authorization } : {} })).status;
  expect(await status()).toBe(401);
  expect(await status('Bearer token-of-somebody')).toBe(401);
  expect(await status(`Bearer ${token}`)).toBe(200);
});
