import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { ROOT_TOKEN } from '../support/calls.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { addressOf, commit, emptyFolder, git, tryGit, workingCopy } from '../support/stock-git.ts';

let cluster: Cluster;
/** What stands between the gateway and the tracker: it does what the test says before it passes a request on. */
let meddle: ((request: IncomingMessage, pass: () => void) => void) | null = null;
let between: Server;

beforeAll(async () => {
  cluster = await startCluster({
    async addressOf(service, url) {
      if (service !== 'tracker') return url;
      between = createServer((incoming, response) => {
        const pass = () => {
          const outgoing = request(`${url}${incoming.url}`, {
            method: incoming.method,
            headers: incoming.headers,
          });
          outgoing.on('response', (answer) => {
            response.writeHead(answer.statusCode!, answer.headers);
            answer.pipe(response);
          });
          outgoing.on('error', () => response.destroy());
          incoming.pipe(outgoing);
          incoming.once('close', () => incoming.complete || outgoing.destroy());
        };
        if (meddle) meddle(incoming, pass);
        else pass();
      });
      between.listen(0, '127.0.0.1');
      await once(between, 'listening');
      return `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
    },
  });
});
afterAll(async () => {
  await cluster.stop();
  between.closeAllConnections();
  between.close();
});

function meddling(how: NonNullable<typeof meddle>): void {
  meddle = how;
  onTestFinished(() => {
    meddle = null;
  });
}

test('a project, an issue and a group work across four services as in one process', async () => {
  const project = await cluster.post('/projects', { name: 'apart', initialize_with_readme: true });
  expect(project.status).toBe(201);
  expect(project.body.web_url).toBe(`${cluster.url}/root/apart`);
  const issue = await cluster.post(`/projects/${project.body.id}/issues`, { title: 'First' });
  expect(issue.status).toBe(201);
  expect(issue.body).toMatchObject({ iid: 1, author: { username: 'root' } });
  const file = await cluster.get(`/projects/root%2Fapart/repository/files/README.md?ref=main`);
  expect(file.status).toBe(200);
  const group = await cluster.post('/groups', { name: 'Team', path: 'team' });
  expect(group.status).toBe(201);
  const inside = await cluster.post('/projects', { name: 'inside', namespace_id: group.body.id });
  expect(inside.status).toBe(201);
  // admin asks repo.
  const listed = await cluster.get('/groups/team/projects');
  expect(listed.body.map((each: { path: string }) => each.path)).toEqual(['inside']);
  expect((await cluster.get('/groups/team')).body.projects).toHaveLength(1);
  expect((await cluster.get('/version')).status).toBe(200);
});

test('answers have links, ETags and request ids, and a HEAD or a known ETag gets no body', async () => {
  const { body: project } = await cluster.post('/projects', { name: 'headers' });
  for (const title of ['one', 'two', 'three'])
    await cluster.post(`/projects/${project.id}/issues`, { title });
  const place = `/projects/${project.id}/issues`;
  const page = await cluster.get(`${place}?per_page=1&page=2`, {
    headers: { 'X-Request-Id': 'my-request-1' },
  });
  expect(page.headers.get('x-request-id')).toBe('my-request-1');
  expect(page.headers.get('x-total')).toBe('3');
  expect(page.headers.get('link')).toContain(`<${cluster.url}/api/v4${place}?`);
  const known = { 'If-None-Match': page.headers.get('etag')! };
  expect((await cluster.get(`${place}?per_page=1&page=2`, { headers: known })).status).toBe(304);
  const head = await cluster.call('HEAD', `${place}?per_page=1&page=2`);
  expect([head.status, head.text, head.headers.get('x-total')]).toEqual([200, '', '3']);
});

test('refusals equal those of one process, whichever service answers', async () => {
  const { body: project } = await cluster.post('/projects', { name: 'refusals', visibility: 'private' });
  const user = await createUser(cluster);
  const place = `/projects/${project.id}/issues`;
  expect(await cluster.get(place, { token: 'wrong' })).toMatchObject({
    status: 401,
    body: { message: '401 Unauthorized' },
  });
  expect(await cluster.get(place, { token: user.token })).toMatchObject({
    status: 404,
    body: { message: '404 Project Not Found' },
  });
  expect(await cluster.post(place, {})).toMatchObject({ status: 400, body: { error: 'title is missing' } });
  const beyond = await cluster.get('/projects?per_page=100&page=501');
  for (const refused of [await cluster.call('PATCH', place), beyond])
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  const large = JSON.stringify({ title: 'x', description: 'x'.repeat(40_000_000) });
  const refused = await cluster
    .call('POST', place, { body: large, headers: { 'Content-Type': 'application/json' } })
    .catch(() => null);
  // The answer may come before the body has gone out; what matters is that it is no other.
  if (refused) expect([400, 413]).toContain(refused.status);
  expect((await cluster.post(place, { title: 'After' })).status).toBe(201);
});

test('git clones, fetches and pushes through the gateway', async () => {
  const { body: project } = await cluster.post('/projects', { name: 'pushed', visibility: 'private' });
  const folder = await workingCopy();
  const root = { name: 'root', secret: ROOT_TOKEN };
  const address = addressOf(cluster, project.path_with_namespace, root);
  await git(folder, 'push', '-q', address, 'HEAD:main');
  const tip = await commit(folder, 'Second');
  await git(folder, 'push', '-q', address, 'HEAD:main', 'HEAD:refs/heads/other');
  const { body: branches } = await cluster.get(`/projects/${project.id}/repository/branches`);
  expect(branches.map((each: { name: string }) => each.name)).toEqual(['main', 'other']);
  const clone = await emptyFolder();
  await git(clone, 'clone', '-q', address, 'copy');
  expect(await git(`${clone}/copy`, 'rev-parse', 'HEAD')).toBe(tip);
  const stranger = await createUser(cluster);
  const his = addressOf(cluster, project.path_with_namespace, {
    name: stranger.username,
    secret: stranger.token,
  });
  expect((await tryGit(clone, 'clone', '-q', his, 'stolen')).code).not.toBe(0);
});

test('a large blob streams through both processes', async () => {
  const { body: project } = await cluster.post('/projects', { name: 'large' });
  const content = Buffer.alloc(12_000_000, 'line of text\n').toString();
  const made = await cluster.post(`/projects/${project.id}/repository/files/large.txt`, {
    branch: 'main',
    content,
    commit_message: 'Large',
  });
  expect(made.status).toBe(201);
  const raw = await cluster.get(`/projects/${project.id}/repository/files/large.txt/raw?ref=main`);
  expect(raw.text === content).toBe(true);
  const archive = await fetch(`${cluster.url}/api/v4/projects/${project.id}/repository/archive.tar`, {
    headers: { 'PRIVATE-TOKEN': ROOT_TOKEN },
  });
  expect((await archive.arrayBuffer()).byteLength).toBeGreaterThan(content.length);
});

test('a service that is down is a 503 with Retry-After, and the others continue', async () => {
  const { body: project } = await cluster.post('/projects', { name: 'gone' });
  const place = `/projects/${project.id}/issues`;
  meddling((incoming) => incoming.socket.destroy());
  const read = await cluster.get(place);
  expect(read).toMatchObject({
    status: 503,
    body: { message: expect.stringMatching(/^503 Service Unavailable/) },
  });
  expect(read.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await cluster.get(`/projects/${project.id}`)).status).toBe(200);
  meddle = null;
  expect((await cluster.get(place)).status).toBe(200);
});

test('a write whose answer was lost is not retried', async () => {
  const { body: project } = await cluster.post('/projects', { name: 'lost' });
  const place = `/projects/${project.id}/issues`;
  let writes = 0;
  meddling((incoming, pass) => {
    if (incoming.method !== 'POST') return pass();
    writes += 1;
    pass();
    // The tracker does what it was asked; the connection breaks before it says so.
    incoming.once('end', () => setTimeout(() => incoming.socket.destroy(), 0));
  });
  const written = await cluster.post(place, { title: 'Once' });
  expect(written.status).toBe(503);
  expect(written.headers.get('retry-after')).toBeNull();
  expect(writes).toBe(1);
  await expect.poll(async () => (await cluster.get(place)).body.length).toBeLessThan(2);
});

test('a client disconnect cancels the work in the service', async () => {
  const { body: project } = await cluster.post('/projects', { name: 'aborted' });
  const closed = vi.fn();
  const arrived = Promise.withResolvers<void>();
  meddling((incoming) => {
    incoming.socket.once('close', closed);
    arrived.resolve();
  });
  const abort = new AbortController();
  const call = fetch(`${cluster.url}/api/v4/projects/${project.id}/issues`, { signal: abort.signal });
  const ended = expect(call).rejects.toThrow();
  await arrived.promise;
  abort.abort();
  await ended;
  await expect.poll(() => closed).toHaveBeenCalled();
});
