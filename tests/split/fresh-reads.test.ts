import { expect, onTestFinished, test } from 'vitest';
import { createToken, createUser } from '../support/accounts.ts';
import type { Reply } from '../support/calls.ts';
import { type Cluster, type ClusterOptions, startCluster } from '../support/cluster.ts';
import { valve } from '../support/slow-log.ts';

async function clusterForTest(options: ClusterOptions): Promise<Cluster> {
  const cluster = await startCluster(options);
  onTestFinished(() => cluster.stop());
  return cluster;
}

/** Calls until it is not told to come back later: 503 is allowed, what is old is not. */
async function patient(call: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await call();
    if (reply.status !== 503 || reply.headers.get('retry-after') === null) return reply;
  }
}

test('with projectors two seconds behind, none of a thousand cross-service reads after a write is stale', async () => {
  const log = valve();
  const cluster = await clusterForTest({ logOf: log.logOf });
  const { body: project } = await cluster.post('/projects', { name: 'fresh' });
  const { body: group } = await cluster.post('/groups', { name: 'Fresh', path: 'fresh-group' });
  log.delay(2000);
  const place = `/projects/${project.id}`;
  /** Each writes in one service and reads what followed in another, or in the gateway itself. */
  const pairs: ((at: number) => Promise<void>)[] = [
    async (at) => {
      // The tracker writes; repo, admin and tracker read.
      const issue = await cluster.post(`${place}/issues`, { title: `Issue ${at}` });
      expect(issue.status).toBe(201);
      const read = await patient(() => cluster.get(`${place}/issues/${issue.body.iid}`));
      expect(read).toMatchObject({ status: 200, body: { title: `Issue ${at}` } });
    },
    async (at) => {
      // admin writes a token; the gateway must know it, and the tracker whose it is.
      const token = await createToken(cluster, 1, ['api']);
      const read = await patient(() => cluster.get(`${place}/issues?search=none-${at}`, { token }));
      expect(read).toMatchObject({ status: 200, body: [] });
    },
    async (at) => {
      // repo writes a project; the tracker must find it.
      const made = await cluster.post('/projects', { name: `Made ${at}`, path: `made-${at}` });
      expect(made.status).toBe(201);
      const read = await patient(() => cluster.get(`/projects/root%2Fmade-${at}/issues`));
      expect(read).toMatchObject({ status: 200, body: [] });
    },
    async (at) => {
      // admin writes a member; repo must let him in, by the gateway's word alone.
      const user = await createUser(cluster, { username: `member-${at}` });
      const added = await cluster.post(`/groups/${group.id}/members`, { user_id: user.id, access_level: 50 });
      expect(added.status).toBe(201);
      const inside = { name: `inside-${at}`, namespace_id: group.id, visibility: 'private' };
      const made = await patient(() => cluster.post('/projects', inside, { token: user.token }));
      expect(made.status).toBe(201);
    },
  ];
  const each = (at: number) => pairs[at % 20 < 12 ? 0 : at % 20 < 17 ? 1 : at % 20 < 19 ? 2 : 3]!(at);
  await Promise.all(Array.from({ length: 1000 }, (_, at) => each(at)));
}, 300_000);

test('with stopped projectors, no caller is answered with rights they have lost', async () => {
  const log = valve();
  const cluster = await clusterForTest({ logOf: log.logOf });
  const { body: project } = await cluster.post('/projects', { name: 'secret', visibility: 'private' });
  const place = `/projects/${project.id}`;
  await cluster.post(`${place}/issues`, { title: 'For members' });
  const [revoked, removed] = [await createUser(cluster), await createUser(cluster)];
  for (const user of [revoked, removed])
    await cluster.post(`${place}/members`, { user_id: user.id, access_level: 30 });
  const doors = [`${place}/issues`, `${place}/repository/branches`, `/projects/${project.id}`, '/user'];
  for (const user of [revoked, removed])
    for (const door of doors) expect((await cluster.get(door, { token: user.token })).status).toBe(200);

  const { body: tokens } = await cluster.get(`/personal_access_tokens?user_id=${revoked.id}`);
  const losses = [
    { token: revoked.token, lose: () => cluster.delete(`/personal_access_tokens/${tokens[0].id}`) },
    { token: removed.token, lose: () => cluster.delete(`${place}/members/${removed.id}`) },
  ];
  for (const { token, lose } of losses) {
    log.stop();
    // It is appended, and projected nowhere.
    const head = await cluster.store.head();
    const losing = lose();
    await expect.poll(() => cluster.store.readAll({ after: head, limit: 10 })).toHaveLength(1);
    const asked = await Promise.all(doors.map((door) => cluster.get(door, { token })));
    for (const reply of asked) {
      expect(reply.status).toBe(503);
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(reply.body).toEqual({ message: expect.stringMatching(/^503 Service Unavailable - /) });
    }
    log.go();
    await losing;
  }
  for (const door of doors) expect((await cluster.get(door, { token: revoked.token })).status).toBe(401);
  const lost = doors.slice(0, 3);
  for (const door of lost) expect((await cluster.get(door, { token: removed.token })).status).toBe(404);
  expect((await cluster.get('/user', { token: removed.token })).status).toBe(200);
});

test("if one service's projectors stop, it answers 503 and the gateway passes that on", async () => {
  const log = valve();
  const cluster = await clusterForTest({
    logOf: (store, name) => (name === 'tracker-0' ? log.logOf(store) : store),
  });
  const { body: project } = await cluster.post('/projects', { name: 'still' });
  log.stop();
  const { body: user } = await cluster.get('/user');
  expect(user.username).toBe('root');
  await cluster.post('/projects', { name: 'another' });
  const reply = await cluster.get(`/projects/${project.id}/issues`);
  expect(reply.status).toBe(503);
  expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
  // A write is refused before it begins.
  const written = await cluster.post(`/projects/${project.id}/issues`, { title: 'Never' });
  expect(written.status).toBe(503);
  log.go();
  expect((await cluster.get(`/projects/${project.id}/issues`)).body).toEqual([]);
});
