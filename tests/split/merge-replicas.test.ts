import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { must } from '../support/must.ts';
import { pausedWriter } from '../support/paused-writer.ts';

const paused = pausedWriter();
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({
    replicas: { tracker: 2 },
    logOf: (store, name) => (name.startsWith('tracker-') ? paused.logOf(store, name) : store),
  });
});
afterAll(() => cluster.stop());

let projects = 0;

const commit = (id: number, branch: string, action: string, file: string, content: string, more = {}) =>
  cluster.post(`/projects/${id}/repository/commits`, {
    ...{ branch, commit_message: `Change ${file}`, ...more },
    actions: [{ action, file_path: file, content }],
  });

/** A project with branches `topic-<number>` that add a file each. */
async function projectWith(branches: number): Promise<number> {
  const given = { name: `replicas-${++projects}`, initialize_with_readme: true };
  const { id } = await must(cluster.post('/projects', given));
  for (let at = 0; at < branches; at++)
    await must(commit(id, `topic-${at}`, 'create', `${at}.txt`, 'one\ntwo\n', { start_branch: 'main' }));
  return id;
}

const open = (id: number, at: number) =>
  cluster.post(`/projects/${id}/merge_requests`, {
    ...{ source_branch: `topic-${at}`, target_branch: 'main', title: `Topic ${at}` },
  });

const many = (count: number, call: () => ReturnType<Cluster['call']>) => Array.from({ length: count }, call);

const eventsOf = async (id: number, iid: number) =>
  (await cluster.store.readStream(`mergeRequest-${id}-${iid}`, { fromRevision: 0, limit: 100 })).map(
    ({ type }) => type,
  );

const openOnes = async (id: number) =>
  must(cluster.get(`/projects/${id}/merge_requests?state=opened&per_page=100`));

const statusesOf = async (replies: ReturnType<Cluster['call']>[]) =>
  (await Promise.all(replies)).map(({ status }) => status).toSorted();

test('who is slower to open one is refused, and leaves nothing behind', async () => {
  const id = await projectWith(1);
  paused.pause((stream) => stream.startsWith(`mergeRequest-${id}-`));
  // Several, so that both replicas get one.
  const replies = many(4, () => open(id, 0));
  await eventually('one waits', () => paused.held.length > 0);
  await eventually('the other one is faster', () => eventsOf(id, 1), { until: ({ length }) => length > 0 });
  paused.wake();
  expect(await statusesOf(replies)).toEqual([201, 409, 409, 409]);
  expect(paused.refused).toContain(`mergeRequest-${id}-1`);
  expect(await eventsOf(id, 1)).toEqual(['MergeRequestCreated']);
  expect(await eventsOf(id, 2)).toEqual([]);
});

test('one that is reopened after a new one is open is closed again', async () => {
  const id = await projectWith(1);
  const { iid } = await must(open(id, 0));
  const at = `/projects/${id}/merge_requests/${iid}`;
  await must(cluster.put(at, { state_event: 'close' }));
  paused.pause((stream) => stream === `mergeRequest-${id}-${iid}`);
  const reopening = cluster.put(at, { state_event: 'reopen' });
  await eventually('the reopening waits', () => paused.held.length > 0);
  const replies = many(4, () => open(id, 0));
  await eventually('a new one is open', () => eventsOf(id, 2), { until: ({ length }) => length > 0 });
  paused.wake();
  expect(await reopening).toMatchObject({ status: 409 });
  expect(await statusesOf(replies)).toEqual([201, 409, 409, 409]);
  const [created, closed, reopened] = ['Created', 'Closed', 'Reopened'].map((end) => `MergeRequest${end}`);
  expect(await eventsOf(id, iid)).toEqual([created, closed, reopened, closed]);
  expect((await openOnes(id)).map((one: { iid: number }) => one.iid)).toEqual([2]);
});

test('one that gets a target of another one too late goes back to its own', async () => {
  const id = await projectWith(1);
  await must(cluster.post(`/projects/${id}/repository/branches`, { branch: 'stable', ref: 'main' }));
  const elsewhere = { source_branch: 'topic-0', target_branch: 'stable', title: 'Elsewhere' };
  const { iid } = await must(cluster.post(`/projects/${id}/merge_requests`, elsewhere));
  const at = `/projects/${id}/merge_requests/${iid}`;
  paused.pause((stream) => stream === `mergeRequest-${id}-${iid}`);
  const moving = cluster.put(at, { target_branch: 'main' });
  await eventually('the change waits', () => paused.held.length > 0);
  const replies = many(4, () => open(id, 0));
  await eventually('a new one is open', () => eventsOf(id, 2), { until: ({ length }) => length > 0 });
  paused.wake();
  expect(await moving).toMatchObject({ status: 409 });
  expect(await statusesOf(replies)).toEqual([201, 409, 409, 409]);
  expect(await must(cluster.get(at))).toMatchObject({ state: 'opened', target_branch: 'stable' });
});

test('of many opened, reopened and moved at once, one is open', async () => {
  const id = await projectWith(1);
  const at = `/projects/${id}/merge_requests`;
  await must(cluster.post(`/projects/${id}/repository/branches`, { branch: 'stable', ref: 'main' }));
  const closed = await must(open(id, 0));
  await must(cluster.put(`${at}/${closed.iid}`, { state_event: 'close' }));
  const elsewhere = { source_branch: 'topic-0', target_branch: 'stable', title: 'Elsewhere' };
  const other = await must(cluster.post(at, elsewhere));
  for (let round = 0; round < 3; round++) {
    const statuses = await statusesOf([
      ...many(2, () => cluster.put(`${at}/${closed.iid}`, { state_event: 'reopen' })),
      ...many(2, () => cluster.put(`${at}/${other.iid}`, { target_branch: 'main' })),
      ...many(6, () => open(id, 0)),
    ]);
    expect(statuses.filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
    const intoMain = (await openOnes(id)).filter((one: { target_branch: string }) => {
      return one.target_branch === 'main';
    });
    expect(intoMain).toHaveLength(1);
    const [{ iid }] = intoMain;
    await must(
      cluster.put(`${at}/${iid}`, iid === other.iid ? { target_branch: 'stable' } : { state_event: 'close' }),
    );
  }
});

test('what is merged, pushed, rebased and applied through both happens once, and nothing is lost', async () => {
  const id = await projectWith(6);
  const project = `/projects/${id}`;
  const opened = [];
  for (const at of [0, 1, 2, 3, 4, 5]) opened.push(await must(open(id, at)));
  const [suggested, rebased, later, ...now] = opened;
  const at = ({ iid }: { iid: number }) => `${project}/merge_requests/${iid}`;
  const report = (state: string) =>
    must(cluster.post(`${project}/statuses/${later.sha}`, { state, ref: 'topic-2' }));
  await report('running');
  await must(cluster.put(`${at(later)}/merge`, { merge_when_pipeline_succeeds: true }));
  const position = { ...suggested.diff_refs, position_type: 'text', new_path: '0.txt', new_line: 1 };
  const body = '```suggestion\nfirst\n```';
  const { notes } = await must(cluster.post(`${at(suggested)}/discussions`, { body, position }));
  const [{ id: suggestion }] = notes[0].suggestions;
  const push = async (file: number) => {
    // A push that lost the race is made again, as its author would.
    for (;;) {
      const reply = await commit(id, 'main', 'create', `push-${file}.txt`, 'x');
      if (reply.status === 201) return reply.body.id as string;
      expect(reply.status).toBeLessThan(500);
    }
  };
  const [merges, applied, rebases, pushed] = await Promise.all([
    statusesOf([...now, ...now, ...now].map((one) => cluster.put(`${at(one)}/merge`))),
    statusesOf(many(4, () => cluster.put(`/suggestions/${suggestion}/apply`))),
    statusesOf(many(3, () => cluster.put(`${at(rebased)}/rebase`))),
    Promise.all([0, 1, 2, 3].map(push)),
    report('success'),
  ]);
  expect(merges.filter((status) => ![200, 405, 406, 409].includes(status))).toEqual([]);
  expect(applied.filter((status) => ![200, 400, 409, 422].includes(status))).toEqual([]);
  expect(applied.filter((status) => status === 200)).toHaveLength(1);
  expect(rebases.filter((status) => ![202, 409].includes(status))).toEqual([]);
  expect(rebases).toContain(202);
  // A merge that lost its race to the pushes is asked for again.
  const merging = [...now, later];
  await eventually('all are merged', async () => {
    const states = await Promise.all(merging.map(async (one) => (await must(cluster.get(at(one)))).state));
    for (const [index, one] of now.entries())
      if (states[index] === 'opened') await cluster.put(`${at(one)}/merge`);
    return states.every((state) => state === 'merged');
  });
  const commits = await must(cluster.get(`${project}/repository/commits?ref_name=main&per_page=100`));
  const parents = commits.flatMap(({ parent_ids }: { parent_ids: string[] }) => parent_ids.slice(1));
  expect(parents.toSorted()).toEqual(merging.map(({ sha }) => sha).toSorted());
  const ids = commits.map((one: { id: string }) => one.id);
  expect(ids).toEqual(expect.arrayContaining(pushed));
  for (const one of merging)
    expect((await eventsOf(id, one.iid)).filter((type) => type === 'MergeRequestMerged')).toHaveLength(1);
  const own = await must(cluster.get(`${at(suggested)}/commits`));
  expect(own).toHaveLength(2);
  expect((await must(cluster.get(`${at(rebased)}/commits`))).length).toBe(1);
});
