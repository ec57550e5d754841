import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import type { Reply } from '../support/calls.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ replicas: { tracker: 2, admin: 2 } });
});
afterAll(() => cluster.stop());

const all = () => cluster.store.readAll({ after: '', limit: 100_000 });

/** Streams without gap or repeat, positions that grow, ids that are unique. */
async function expectSoundLog(): Promise<void> {
  const events = await all();
  const revisions = new Map<string, number>();
  for (const { stream, revision } of events) {
    expect(revision).toBe((revisions.get(stream) ?? -1) + 1);
    revisions.set(stream, revision);
  }
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  const positions = events.map(({ position }) => position);
  expect(positions.toSorted()).toEqual(positions);
}

test('there is one first administrator with one token', async () => {
  const events = await all();
  expect(events.filter(({ type }) => type === 'UserCreated')).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'PersonalAccessTokenCreated')).toHaveLength(1);
});

test('issues opened concurrently through both get numbers without gap or repeat', async () => {
  const { body: project } = await cluster.post('/projects', { name: 'numbers' });
  const opened = await Promise.all(
    Array.from({ length: 60 }, (_, at) => cluster.post(`/projects/${project.id}/issues`, { title: `${at}` })),
  );
  const done = opened.filter(({ status }) => status === 201);
  const iids = done.map(({ body }) => body.iid as number).sort((a, b) => a - b);
  expect(iids).toEqual(Array.from({ length: done.length }, (_, at) => at + 1));
  expect(new Set(done.map(({ body }) => body.id)).size).toBe(done.length);
  // Who lost every race is told so, and who came when too much was going on; nothing else may go wrong.
  const told = ({ status, headers }: Reply) =>
    status === 409 || (status === 503 && headers.has('retry-after'));
  expect(opened.filter((reply) => reply.status !== 201 && !told(reply))).toEqual([]);
  expect(done.length).toBeGreaterThan(30);
  const titles = done.map(({ body }) => body.title as string);
  for (const page of [1, 2, 3, 4]) {
    const { body } = await cluster.get(`/projects/${project.id}/issues?per_page=20&page=${page}`);
    for (const { title } of body) expect(titles).toContain(title);
  }
  await expectSoundLog();
});

test('a name claimed concurrently through both is claimed once', async () => {
  const tries = await Promise.all(
    Array.from({ length: 8 }, () => cluster.post('/groups', { name: 'Same', path: 'same' })),
  );
  expect(tries.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(tries.filter(({ status }) => status >= 500)).toEqual([]);
  await expectSoundLog();
});

test('a membership added concurrently through both is added once', async () => {
  const { body: group } = await cluster.post('/groups', { name: 'Members', path: 'members' });
  const user = await createUser(cluster);
  const tries = await Promise.all(
    Array.from({ length: 8 }, () =>
      cluster.post(`/groups/${group.id}/members`, { user_id: user.id, access_level: 30 }),
    ),
  );
  expect(tries.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  const added = (await all()).filter(
    ({ type, data }) => type === 'GroupMemberAdded' && (data as { userId: number }).userId === user.id,
  );
  expect(added).toHaveLength(1);
});

test('all replicas show every event, whichever wrote it', async () => {
  const { body: project } = await cluster.post('/projects', { name: 'shown' });
  const { body: issue } = await cluster.post(`/projects/${project.id}/issues`, { title: 'Discussed' });
  const notes = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      cluster.post(`/projects/${project.id}/issues/${issue.iid}/notes`, { body: `Note ${at}` }),
    ),
  );
  for (const { status } of notes) expect(status).toBe(201);
  const place = `/projects/${project.id}/issues/${issue.iid}/notes?per_page=100`;
  const read = await Promise.all(Array.from({ length: 8 }, () => cluster.get(place)));
  for (const { body } of read) expect(body).toHaveLength(20);
  // Connections go to the replicas in turn: both have answered.
  for (const balancer of cluster.balancers) expect(Math.min(...balancer.connections)).toBeGreaterThan(1);
  await expectSoundLog();
});

test('policies react on one replica only', async () => {
  const { body: parent } = await cluster.post('/groups', { name: 'Parent', path: 'parent' });
  for (const path of ['one', 'two', 'three']) {
    const { body: below } = await cluster.post('/groups', { name: path, path, parent_id: parent.id });
    await cluster.post('/groups', { name: 'Deep', path: 'deep', parent_id: below.id });
  }
  expect((await cluster.delete(`/groups/${parent.id}`)).status).toBe(202);
  const deleted = async () => (await all()).filter(({ type }) => type === 'GroupDeleted');
  await expect.poll(deleted).toHaveLength(7);
  const { admin } = cluster.replicas;
  const policies = ['clear-deleted-groups', 'leave-groups-of-deleted-users'];
  /** Where those stand who have, or had, the lease of a policy. Another replica may have that of another policy. */
  const holding = (name: string) =>
    admin
      .map(({ projectors }) => projectors.policies().find(({ policy }) => policy === name)!.position)
      .filter((position) => position !== '');
  for (const name of policies) expect(holding(name)).toHaveLength(1);
  const isDone = async () => {
    const end = (await all()).at(-1)!.position;
    return policies.every((name) => holding(name).some((position) => position >= end));
  };
  await expect.poll(isDone).toBe(true);
  expect(await deleted()).toHaveLength(7);
  await expectSoundLog();
});
