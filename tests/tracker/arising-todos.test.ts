import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGroup, createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';

let forgelog: Forgelog;
let ada: TestUser;
let bob: TestUser;
let groupId: number;
let projects = 0;

beforeAll(async () => {
  forgelog = await startForgelog();
  ada = await createUser(forgelog);
  bob = await createUser(forgelog);
  ({ id: groupId } = await createGroup(forgelog));
  for (const { id } of [ada, bob])
    await must(forgelog.post(`/groups/${groupId}/members`, { user_id: id, access_level: 30 }));
});
afterAll(() => forgelog.stop());

const by = ({ token }: TestUser) => ({ token });

async function project(more: object = {}): Promise<string> {
  const name = `busy-${++projects}`;
  const { id } = await must(forgelog.post('/projects', { name, namespace_id: groupId, ...more }));
  return `/projects/${id}`;
}

/** Action and title of what a user has to do in a project, the newest first. */
async function todosOf(user: TestUser, at: string, more = ''): Promise<string[]> {
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  const query = `/todos?project_id=${at.split('/')[2]}${more}`;
  const items = await must(forgelog.get(query, by(user)));
  return items.map((item: { action_name: string; body: string }) => `${item.action_name}: ${item.body}`);
}

test('who is assigned or mentioned has something to do, and who does it themselves has not', async () => {
  const at = await project();
  const stranger = await createUser(forgelog);
  const description = `@${bob.username}, what do @${ada.username} and @${stranger.username} say?`;
  const issue = await must(forgelog.post(`${at}/issues`, { title: 'Leak', description }, by(ada)));
  expect(await todosOf(bob, at)).toEqual(['directly_addressed: Leak']);
  expect(await todosOf(ada, at)).toEqual([]);
  expect((await must(forgelog.get('/todos', by(stranger)))).length).toBe(0);
  const one = `${at}/issues/${issue.iid}`;
  await must(forgelog.post(`${one}/notes`, { body: `I asked @${ada.username}` }, by(bob)));
  expect(await todosOf(ada, at)).toEqual(['mentioned: Leak']);
  // Who answers has done what there was to do.
  expect(await todosOf(bob, at)).toEqual([]);
  await must(forgelog.put(one, { assignee_ids: [bob.id] }, by(ada)));
  expect(await todosOf(bob, at, '&action=assigned')).toEqual(['assigned: Leak']);
  await must(forgelog.put(one, { title: 'Leaks' }, by(ada)));
  expect(await todosOf(bob, at)).toHaveLength(1);
  await must(forgelog.put(one, { state_event: 'close' }, by(bob)));
  expect(await todosOf(bob, at)).toEqual([]);
  const [item] = await must(forgelog.get('/todos?state=done', by(bob)));
  expect(item).toMatchObject({ action_name: 'assigned', author: { id: ada.id }, target: { title: 'Leaks' } });
});

test('a confidential note gives nothing to do to who may not read it', async () => {
  const at = await project();
  const guest = await createUser(forgelog);
  await must(forgelog.post(`${at}/members`, { user_id: guest.id, access_level: 10 }));
  const { iid } = await must(forgelog.post(`${at}/issues`, { title: 'Open' }, by(ada)));
  const body = `@${guest.username} and @${bob.username}`;
  await must(forgelog.post(`${at}/issues/${iid}/notes`, { body, confidential: true }, by(ada)));
  expect(await todosOf(bob, at)).toEqual(['directly_addressed: Open']);
  expect(await todosOf(guest, at)).toEqual([]);
});

test('a review, an approval and a failed pipeline are asked for, until they are given or mended', async () => {
  const at = await project({ initialize_with_readme: true });
  const approver = await createUser(forgelog);
  await must(forgelog.post(`${at}/members`, { user_id: approver.id, access_level: 30 }));
  const rule = { name: 'Safety', approvals_required: 1, user_ids: [approver.id] };
  await must(forgelog.post(`${at}/approval_rules`, rule));
  const content = 'test:\n  script: make\n';
  const commit = await must(
    forgelog.post(`${at}/repository/commits`, {
      ...{ branch: 'topic', start_branch: 'main', commit_message: 'Add a test' },
      actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content }],
    }),
  );
  const { iid } = await must(
    forgelog.post(
      `${at}/merge_requests`,
      { source_branch: 'topic', target_branch: 'main', title: 'Tests', reviewer_ids: [bob.id] },
      by(ada),
    ),
  );
  expect(await todosOf(bob, at, '&action=review_requested')).toEqual(['review_requested: Tests']);
  expect(await todosOf(approver, at)).toEqual(['approval_required: Tests']);
  await must(forgelog.post(`${at}/merge_requests/${iid}/approve`, {}, by(approver)));
  expect(await todosOf(approver, at)).toEqual([]);

  const [pipeline] = await must(forgelog.get(`${at}/pipelines?sha=${commit.id}`));
  const [job] = await must(forgelog.get(`${at}/pipelines/${pipeline.id}/jobs`));
  const runner = await must(
    forgelog.post('/user/runners', {
      runner_type: 'project_type',
      project_id: at.split('/')[2],
      run_untagged: true,
    }),
  );
  const run = async (state: 'failed' | 'success') => {
    const taken = await must(forgelog.post('/jobs/request', { token: runner.token }));
    await must(forgelog.put(`/jobs/${taken.id}`, { token: taken.token, state }));
  };
  await run('failed');
  expect(await todosOf(ada, at, '&action=build_failed')).toEqual(['build_failed: Tests']);
  await must(forgelog.post(`${at}/jobs/${job.id}/retry`));
  await run('success');
  expect(await todosOf(ada, at)).toEqual([]);
});

test('a merge that waited and met a conflict is for its author to mend', async () => {
  const at = await project({ initialize_with_readme: true });
  const change = (branch: string, content: string, more: object = {}) =>
    must(
      forgelog.post(`${at}/repository/commits`, {
        ...{ branch, commit_message: content, ...more },
        actions: [{ action: 'update', file_path: 'README.md', content }],
      }),
    );
  const yaml = { action: 'create', file_path: '.gitlab-ci.yml', content: 'test:\n  script: make\n' };
  await must(
    forgelog.post(`${at}/repository/commits`, { branch: 'main', commit_message: 'CI', actions: [yaml] }),
  );
  await change('topic', 'one way', { start_branch: 'main' });
  const asked = { source_branch: 'topic', target_branch: 'main', title: 'Two ways' };
  const { iid } = await must(forgelog.post(`${at}/merge_requests`, asked, by(ada)));
  // Its pipeline is there, or there would be nothing to wait for.
  expect(await todosOf(ada, at)).toEqual([]);
  const waits = { merge_when_pipeline_succeeds: true };
  await must(forgelog.put(`${at}/merge_requests/${iid}/merge`, waits));
  await change('main', 'the other way');
  await expect.poll(() => todosOf(ada, at)).toEqual(['unmergeable: Two ways']);
});

test('a request for access is to be decided until somebody does', async () => {
  const asker = await createUser(forgelog);
  const owner = await createUser(forgelog);
  const open = { name: 'open', visibility: 'public' };
  const at = `/projects/${(await must(forgelog.post('/projects', open))).id}`;
  await must(forgelog.post(`${at}/members`, { user_id: owner.id, access_level: 40 }));
  await must(forgelog.post(`${at}/access_requests`, {}, by(asker)));
  expect(await todosOf(owner, at)).toEqual([expect.stringMatching(/^member_access_requested: .*\/open$/)]);
  expect(await todosOf(ada, at)).toEqual([]);
  const answered = forgelog.put(`${at}/access_requests/${asker.id}/approve`, {}, by(owner));
  expect((await answered).status).toBe(201);
  expect(await todosOf(owner, at)).toEqual([]);
});
