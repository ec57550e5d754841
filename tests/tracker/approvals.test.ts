import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, type TestUser } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { newProject, type TestProject } from '../support/repositories.ts';

let forgelog: Forgelog;
let ada: TestUser;
let grace: TestUser;
beforeAll(async () => {
  forgelog = await startForgelog();
  [ada, grace] = [await createUser(forgelog), await createUser(forgelog)];
});
afterAll(() => forgelog.stop());

let projects = 0;

async function commit({ at }: TestProject, branch: string, path: string, options: object = {}) {
  const actions = [{ action: 'create', file_path: path, content: `${path}\n` }];
  const given = { branch, commit_message: `Add ${path}`, actions };
  return must(forgelog.post(`${at}/commits`, { ...given, ...options }));
}

/** A project with an open merge request of root's, of which two users are developers. */
async function requested(approvals: object = {}) {
  const project = await newProject(forgelog, `approved-${++projects}`);
  const at = `/projects/${project.id}`;
  await commit(project, 'main', 'a.txt');
  for (const user of [ada, grace])
    await must(forgelog.post(`${at}/members`, { user_id: user.id, access_level: 30 }));
  const answer = await must(forgelog.post(`${at}/approvals`, approvals));
  await commit(project, 'topic', 'b.txt', { start_branch: 'main' });
  const branches = { source_branch: 'topic', target_branch: 'main' };
  const { iid } = await must(forgelog.post(`${at}/merge_requests`, { ...branches, title: 'Topic' }));
  const request = `${at}/merge_requests/${iid}`;
  return {
    ...{ project, at, request, answer },
    approve: (user: TestUser) => forgelog.post(`${request}/approve`, {}, user),
    approvals: async (user?: TestUser) => must(forgelog.get(`${request}/approvals`, user)),
  };
}

test('what a project says of approvals is read and changed by its maintainers', async () => {
  const given = { approvals_before_merge: 2, merge_requests_author_approval: true };
  const { at, answer } = await requested(given);
  const all = {
    ...given,
    ...{
      approvers: [],
      approver_groups: [],
      reset_approvals_on_push: true,
      require_password_to_approve: false,
    },
    ...{ disable_overriding_approvers_per_merge_request: false },
    merge_requests_disable_committers_approval: false,
  };
  expect(answer).toEqual(all);
  expect(await must(forgelog.get(`${at}/approvals`, ada))).toEqual(all);
  expect((await must(forgelog.get(at))).approvals_before_merge).toBe(2);
  expect((await forgelog.post(`${at}/approvals`, { reset_approvals_on_push: false }, ada)).status).toBe(403);
  const asked = await forgelog.post(`${at}/approvals`, { require_password_to_approve: true });
  expect([asked.status, Object.keys(asked.body.message)]).toEqual([400, ['require_password_to_approve']]);
  expect(await must(forgelog.get(`${at}/approvals`))).toEqual(all);
});

test('a push takes approvals back, and its merge waits for new ones', async () => {
  const { project, at, request, approve, approvals } = await requested();
  const rule = { name: 'Review', approvals_required: 1, user_ids: [ada.id, grace.id] };
  await must(forgelog.post(`${at}/approval_rules`, rule));
  expect((await forgelog.put(`${request}/merge`)).status).toBe(405);
  await must(approve(ada));
  await commit(project, 'topic', 'c.txt');
  expect(await approvals()).toMatchObject({ approved: false, approvals_left: 1, approved_by: [] });
  expect((await forgelog.put(`${request}/merge`)).status).toBe(405);
  await eventually('the end of the approval in the log', async () => {
    const events = await forgelog.system.store.readStream(`mergeRequest-${project.id}-1`);
    return events.some(({ type }) => type === 'MergeRequestApprovalEnded');
  });
  await must(approve(grace));
  expect(await must(forgelog.put(`${request}/merge`))).toMatchObject({ state: 'merged' });
});

test('whoever committed does not approve where the project says so', async () => {
  const { project, approve, approvals } = await requested({
    ...{ merge_requests_disable_committers_approval: true, approvals_before_merge: 1 },
  });
  await must(
    forgelog.post(
      `${project.at}/commits`,
      {
        ...{ branch: 'topic', commit_message: 'Help' },
        actions: [{ action: 'create', file_path: 'd.txt', content: 'd' }],
      },
      ada,
    ),
  );
  expect(await approvals(ada)).toMatchObject({ user_can_approve: false });
  expect((await approve(ada)).status).toBe(401);
  await must(approve(grace));
  expect(await approvals()).toMatchObject({ approved: true });
});

test('direct members of a group approve for it, and a group that is hidden stays unnamed', async () => {
  const { at, request, approve, approvals } = await requested();
  const group = await must(forgelog.post('/groups', { name: 'Reviewers', path: `reviewers-${projects}` }));
  await must(forgelog.post(`/groups/${group.id}/members`, { user_id: grace.id, access_level: 30 }));
  const rule = { name: 'Group', approvals_required: 1, group_ids: [group.id] };
  const { id } = await must(forgelog.post(`${at}/approval_rules`, rule));
  const read = (user: TestUser) => must(forgelog.get(`${at}/approval_rules/${id}`, user));
  expect(await read(grace)).toMatchObject({
    ...{ groups: [{ id: group.id, full_path: group.full_path }], contains_hidden_groups: false },
    eligible_approvers: [{ id: 1 }, { id: grace.id }],
  });
  expect(await read(ada)).toMatchObject({ groups: [], contains_hidden_groups: true });
  await must(approve(ada));
  expect(await approvals()).toMatchObject({ approvals_left: 1 });
  await must(forgelog.delete(`/groups/${group.id}/members/${grace.id}`));
  // Nobody is left who could approve.
  expect(await approvals()).toMatchObject({ approvals_left: 0 });
  await must(forgelog.post(`/groups/${group.id}/members`, { user_id: grace.id, access_level: 30 }));
  expect((await forgelog.put(`${request}/merge`)).status).toBe(405);
  await must(approve(grace));
  await must(forgelog.put(`${request}/merge`));
});
