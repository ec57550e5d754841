import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, type TestUser } from '../support/accounts.ts';
import type { CallOptions } from '../support/calls.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';

let forgelog: Forgelog;
let reviewer: TestUser;
beforeAll(async () => {
  forgelog = await startForgelog();
  reviewer = await createUser(forgelog);
});
afterAll(() => forgelog.stop());

const LATER = { merge_when_pipeline_succeeds: true };
let projects = 0;

/** An open merge request of a branch whose pipeline reports as it is told. The reviewer is a Maintainer. */
async function waiting(settings: object = {}) {
  const given = { name: `waiting-${++projects}`, initialize_with_readme: true, ...settings };
  const { id } = await must(forgelog.post('/projects', given));
  await must(forgelog.post(`/projects/${id}/members`, { user_id: reviewer.id, access_level: 40 }));
  const commit = (branch: string, path: string, more: object = { start_branch: 'main' }) => {
    const actions = [{ action: 'create', file_path: path, content: path }];
    const change = { branch, commit_message: `Add ${path}`, actions, ...more };
    return must(forgelog.post(`/projects/${id}/repository/commits`, change)).then((made) => made.id);
  };
  const sha: string = await commit('topic', 'topic.txt');
  const opened = { source_branch: 'topic', target_branch: 'main', title: 'Topic' };
  const { iid } = await must(forgelog.post(`/projects/${id}/merge_requests`, opened));
  const at = `/projects/${id}/merge_requests/${iid}`;
  return {
    ...{ id, iid, at, sha, commit },
    report: (state: string, of = sha) =>
      must(forgelog.post(`/projects/${id}/statuses/${of}`, { state, ref: 'topic' })),
    merge: (more: object = LATER, options?: CallOptions) => forgelog.put(`${at}/merge`, more, options),
    cancel: (options?: CallOptions) =>
      forgelog.post(`${at}/cancel_merge_when_pipeline_succeeds`, {}, options),
    shown: () => must(forgelog.get(at)),
    /** What happened to it, without its beginning. */
    async happened(): Promise<string[]> {
      const stream = `mergeRequest-${id}-${iid}`;
      const events = await forgelog.system.store.readStream(stream, { limit: 100 });
      return events.slice(1).map(({ type, data }) => {
        const { reason } = data as { reason?: string };
        return type.slice('MergeRequest'.length) + (reason === undefined ? '' : `: ${reason}`);
      });
    },
  };
}

const eventually = (look: () => Promise<unknown>) => expect.poll(look);

test('it is merged when the pipeline succeeds, in the name of the user who set it', async () => {
  const { merge, report, shown, at, id, sha, happened } = await waiting({
    only_allow_merge_if_pipeline_succeeds: true,
  });
  await report('running');
  const by = { token: reviewer.token };
  const wanted = { ...LATER, sha, should_remove_source_branch: true, merge_commit_message: 'Merged later' };
  const set = await merge(wanted, by);
  expect(set).toMatchObject({
    status: 200,
    body: {
      ...{ state: 'opened', merge_when_pipeline_succeeds: true, should_remove_source_branch: true },
      ...{ merge_user: { id: reviewer.id }, merged_by: null },
    },
  });
  // Asked for twice is set once.
  expect((await merge(wanted, by)).status).toBe(200);
  await report('failed');
  expect(await shown()).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
  await report('success');
  await eventually(async () => (await shown()).state).toBe('merged');
  expect(await shown()).toMatchObject({
    ...{ merged_by: { id: reviewer.id }, merge_user: { id: reviewer.id }, sha },
    ...{ merge_when_pipeline_succeeds: false, should_remove_source_branch: null },
  });
  expect(await happened()).toEqual(['AutoMergeSet', 'MergeStarted', 'Merged']);
  const tip = await must(forgelog.get(`/projects/${id}/repository/commits/main`));
  expect(tip).toMatchObject({ title: 'Merged later', author_email: reviewer.email });
  const branch = `/projects/${id}/repository/branches/topic`;
  await eventually(async () => (await forgelog.get(branch)).status).toBe(404);
  expect((await forgelog.get(`${at}`)).body.merge_commit_sha).toBe(tip.id);
});

test.each([
  [undefined, 200],
  ['success', 200],
  ['failed', 405],
  ['canceled', 405],
])('nothing waits for a pipeline that is over: with one that is %s it answers %s', async (state, status) => {
  const { merge, report, shown } = await waiting();
  if (state) await report(state);
  expect((await merge()).status).toBe(status);
  expect(await shown()).toMatchObject({
    ...{ state: status === 200 ? 'merged' : 'opened', merge_when_pipeline_succeeds: false },
  });
});

test('what forbids a merge forbids to wait for it', async () => {
  const { merge, report, at, shown } = await waiting();
  await report('running');
  expect((await merge({ ...LATER, sha: '1'.repeat(40) })).status).toBe(409);
  const stranger = await createUser(forgelog);
  expect((await merge(LATER, { token: stranger.token })).status).toBe(404);
  await must(forgelog.put(at, { title: 'Draft: Topic' }));
  expect((await merge()).status).toBe(405);
  expect((await shown()).merge_when_pipeline_succeeds).toBe(false);
});

test('it is canceled by those who may merge, and by its author', async () => {
  const { id, merge, report, cancel, shown, happened } = await waiting();
  await report('running');
  expect((await cancel()).status).toBe(406);
  await merge();
  const reader = await createUser(forgelog);
  await must(forgelog.post(`/projects/${id}/members`, { user_id: reader.id, access_level: 20 }));
  expect((await cancel({ token: reader.token })).status).toBe(401);
  const canceled = await cancel({ token: reviewer.token });
  expect(canceled).toMatchObject({ status: 201, body: { merge_when_pipeline_succeeds: false } });
  await report('success');
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  expect(await happened()).toEqual(['AutoMergeSet', 'AutoMergeCanceled: asked']);
  await must(merge({}));
  expect((await shown()).state).toBe('merged');
  expect((await cancel()).status).toBe(405);
});

test('a push to the source branch ends the waiting at once', async () => {
  const { merge, report, shown, commit, happened } = await waiting();
  await report('running');
  await merge();
  const newer = await commit('topic', 'more.txt', {});
  expect(await shown()).toMatchObject({ sha: newer, merge_when_pipeline_succeeds: false, merge_user: null });
  await eventually(happened).toEqual(['AutoMergeSet', 'AutoMergeCanceled: source moved']);
  await report('success');
  await report('success', newer);
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  expect((await shown()).state).toBe('opened');
});

test.each([
  ['conflict', 'merge', 'topic.txt'],
  ['rebase needed', 'ff', 'other.txt'],
])('a push to the target branch ends it for a %s', async (reason, merge_method, path) => {
  const { id, merge, report, commit, happened } = await waiting();
  await must(forgelog.put(`/projects/${id}`, { merge_method }));
  await report('running');
  await merge();
  const content = { content: 'of main' };
  const actions = [{ action: 'create', file_path: path, ...content }];
  await commit('main', path, { actions });
  await eventually(happened).toEqual(['AutoMergeSet', `AutoMergeCanceled: ${reason}`]);
});

test('a deleted branch and a user without rights end it', async () => {
  const gone = await waiting();
  await gone.report('running');
  await gone.merge();
  await must(forgelog.delete(`/projects/${gone.id}/repository/branches/topic`));
  await eventually(gone.happened).toEqual(['AutoMergeSet', 'AutoMergeCanceled: branch gone']);
  const { id, merge, report, happened } = await waiting();
  await report('running');
  await merge(LATER, { token: reviewer.token });
  await must(forgelog.put(`/projects/${id}/members/${reviewer.id}`, { access_level: 20 }));
  await report('success');
  await eventually(happened).toEqual(['AutoMergeSet', 'AutoMergeCanceled: forbidden']);
});

test('what came in between is waited for, too: a thread, a draft', async () => {
  const { id, at, merge, report, happened, shown } = await waiting();
  await must(forgelog.put(`/projects/${id}`, { only_allow_merge_if_all_discussions_are_resolved: true }));
  await report('running');
  await merge();
  const thread = await must(forgelog.post(`${at}/discussions`, { body: 'Why?' }));
  await must(forgelog.put(at, { title: 'Draft: Topic' }));
  await report('success');
  await must(forgelog.put(`${at}/discussions/${thread.id}`, { resolved: true }));
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  expect((await shown()).state).toBe('opened');
  await must(forgelog.put(at, { title: 'Topic' }));
  await eventually(async () => (await shown()).state).toBe('merged');
  expect(await happened()).toEqual(['AutoMergeSet', 'Updated', 'Updated', 'MergeStarted', 'Merged']);
});
