import {
  createApprovalRule,
  createMergeRequestApprovalRule,
  deleteApprovalRule,
  deleteMergeRequestApprovalRule,
  getApprovalRule,
  getMergeRequestApprovalRule,
  listApprovalRules,
  listMergeRequestApprovalRules,
  updateApprovalRule,
  updateMergeRequestApprovalRule,
} from '@forgelog/contracts/tracker/approval-rules/approval-rule.api.ts';
import {
  approveMergeRequest,
  getApprovalState,
  getApprovals,
  setApprovalsRequired,
} from '@forgelog/contracts/tracker/merge-requests/approval.api.ts';
import { mergeMergeRequest } from '@forgelog/contracts/tracker/merge-requests/merge.api.ts';
import { getMergeRequest } from '@forgelog/contracts/tracker/merge-requests/merge-request.api.ts';
import { memberAdded, on, userCreated } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { mergeRequestSlice } from '../merge-requests/merge-request.slice.ts';
import {
  branchMoved,
  inMergeRequest,
  inRepository,
  mergeRequestCreated,
  shaOf,
} from '../testing/merge-request-events.ts';
import { mergesSlice } from '../testing/merges.slice.ts';
import { approvalRuleSlice } from './approval-rule.slice.ts';

const MAINTAINER = 5;
const SECOND = 6;
const project = { id: 7 };
const one = { id: 7, merge_request_iid: 1 };

async function start(settings: object = {}) {
  const { slice, repository } = mergesSlice();
  const given = [
    ...[...team, userCreated(MAINTAINER), userCreated(SECOND)],
    ...[memberAdded(7, MAINTAINER, 40), memberAdded(7, SECOND, 30)],
    on('project-7', {
      type: 'ProjectUpdated',
      data: { projectId: 7, changes: { settings }, previous: { settings: {} } },
    }),
    ...[inRepository(branchMoved('main', shaOf(9))), inRepository(branchMoved('topic1', shaOf(1)))],
    inMergeRequest(mergeRequestCreated(1)),
  ];
  const running = await startSlices([mergeRequestSlice, approvalRuleSlice, slice], given);
  const { call } = running;
  return {
    ...{ ...running, repository },
    approve: (as: number) => call(approveMergeRequest, one, as),
    approvals: async (as = REPORTER) => (await call(getApprovals, one, as)).body,
    state: async () => (await call(getApprovalState, one, REPORTER)).body,
    status: async () => (await call(getMergeRequest, one, REPORTER)).body.detailed_merge_status,
    rule: async (params: object) =>
      (
        await call(
          createApprovalRule,
          { ...project, name: 'Security', approvals_required: 1, ...params },
          OWNER,
        )
      ).body,
  };
}

test('maintainers create, change and delete rules of a project, and those who read it read them', async () => {
  const { call } = await start();
  const given = {
    ...project,
    name: 'Security',
    approvals_required: 1,
    user_ids: [DEVELOPER],
    usernames: 'user6',
  };
  const created = await call(createApprovalRule, given, MAINTAINER);
  expect(created).toMatchObject({
    status: 201,
    body: {
      ...{ name: 'Security', rule_type: 'regular', approvals_required: 1, groups: [] },
      ...{ users: [{ id: DEVELOPER }, { id: SECOND }], contains_hidden_groups: false },
      eligible_approvers: [{ id: DEVELOPER }, { id: SECOND }],
    },
    events: [{ type: 'ApprovalRuleCreated' }],
  });
  const { id: approval_rule_id } = created.body;
  const it = { ...project, approval_rule_id };
  expect(await call(getApprovalRule, it, REPORTER)).toMatchObject({ status: 200, body: created.body });
  expect((await call(listApprovalRules, project, REPORTER)).body).toEqual([created.body]);
  const changed = await call(updateApprovalRule, { ...it, approvals_required: 2, user_ids: [] }, MAINTAINER);
  expect(changed).toMatchObject({
    status: 200,
    body: { approvals_required: 2, users: [], name: 'Security' },
  });
  for (const as of [DEVELOPER, REPORTER]) {
    expect((await call(createApprovalRule, given, as)).status).toBe(403);
    expect((await call(deleteApprovalRule, it, as)).status).toBe(403);
  }
  expect((await call(listApprovalRules, project, OUTSIDER)).status).toBe(404);
  expect((await call(deleteApprovalRule, it, MAINTAINER)).status).toBe(204);
  expect((await call(getApprovalRule, it, REPORTER)).status).toBe(404);
});

test('a rule names members of the project, groups that the caller sees and branches that are protected', async () => {
  const { call } = await start();
  const refused = async (more: object) => {
    const given = { ...project, name: 'x', approvals_required: 1, ...more };
    const { status, body, events } = await call(createApprovalRule, given, OWNER);
    return [status, Object.keys(body.message), events];
  };
  expect(await refused({ user_ids: [OUTSIDER] })).toEqual([400, ['user_ids'], []]);
  expect(await refused({ usernames: 'nobody' })).toEqual([400, ['usernames'], []]);
  expect(await refused({ group_ids: [99] })).toEqual([400, ['group_ids'], []]);
  expect(await refused({ protected_branch_ids: [99] })).toEqual([400, ['protected_branch_ids'], []]);
  expect(await refused({ name: ' ' })).toEqual([400, ['name'], []]);
});

test('a merge request waits for each rule, and says what is left', async () => {
  const { call, approve, approvals, rule, state, status } = await start();
  expect(await status()).toBe('mergeable');
  const { id } = await rule({ user_ids: [SECOND] });
  await rule({ name: 'All Members', approvals_required: 2, rule_type: 'any_approver' });
  expect(await status()).toBe('not_approved');
  expect(await approve(DEVELOPER)).toMatchObject({ status: 201, body: { approved: false } });
  expect(await approvals(SECOND)).toMatchObject({
    ...{ approved: false, approvals_required: 3, approvals_left: 2, has_approval_rules: true },
    ...{ approved_by: [{ user: { id: DEVELOPER } }], suggested_approvers: [{ id: SECOND }] },
    ...{ user_can_approve: true, user_has_approved: false },
    approval_rules_left: [{ rule_type: 'any_approver' }, { id, name: 'Security' }],
  });
  expect((await call(mergeMergeRequest, one, OWNER)).status).toBe(405);
  await approve(SECOND);
  expect(await approvals()).toMatchObject({ approved: true, approvals_left: 0, approval_rules_left: [] });
  expect(await status()).toBe('mergeable');
  expect(await state()).toMatchObject({
    approval_rules_overwritten: false,
    rules: [
      { rule_type: 'any_approver', approved: true, approved_by: [{ id: DEVELOPER }, { id: SECOND }] },
      { id, name: 'Security', approved: true, approved_by: [{ id: SECOND }], code_owner: false },
    ],
  });
});

test('nobody approves twice for one rule, and the approval of somebody else does not help', async () => {
  const { approve, rule, status } = await start();
  await rule({ user_ids: [SECOND, DEVELOPER], approvals_required: 2 });
  await approve(MAINTAINER);
  await approve(SECOND);
  expect((await approve(SECOND)).status).toBe(401);
  expect(await status()).toBe('not_approved');
  await approve(DEVELOPER);
  expect(await status()).toBe('mergeable');
});

test('a rule that only its author could fulfil does not hold it back', async () => {
  const { rule, status } = await start();
  await rule({ user_ids: [OWNER] });
  expect(await status()).toBe('mergeable');
});

test('authors approve their own where the project lets them', async () => {
  const closed = await start();
  expect((await closed.approve(OWNER)).status).toBe(401);
  const { approve, approvals, rule, status } = await start({ merge_requests_author_approval: true });
  await rule({ user_ids: [OWNER] });
  expect(await status()).toBe('not_approved');
  expect(await approvals(OWNER)).toMatchObject({ user_can_approve: true });
  expect((await approve(OWNER)).status).toBe(201);
  expect(await status()).toBe('mergeable');
});

test('a push ends what was approved before it, where the project says so', async () => {
  const push = [branchMoved('topic1', shaOf(2), shaOf(1))];
  for (const [resets, left] of [
    [true, 1],
    [false, 0],
  ] as const) {
    const { approve, approvals, ports, rule } = await start({ reset_approvals_on_push: resets });
    await rule({ user_ids: [SECOND] });
    await approve(SECOND);
    await ports.commands.append('repository-7', 1, push, { actorId: null } as never);
    expect(await approvals(SECOND), `${resets}`).toMatchObject({
      approvals_left: left,
      user_can_approve: resets,
    });
    const again = await approve(SECOND);
    expect(again.status).toBe(resets ? 201 : 401);
    expect(again.events.map(({ type }) => type)).toEqual(
      resets ? ['MergeRequestApprovalEnded', 'MergeRequestApproved'] : [],
    );
    expect(await approvals()).toMatchObject({ approvals_left: 0, approved_by: [{ user: { id: SECOND } }] });
  }
});

test('rules of a merge request stand for those of its project, until the last one goes', async () => {
  const { call, rule, state, status } = await start();
  const { id: source } = await rule({ user_ids: [SECOND] });
  const inherited = await call(listMergeRequestApprovalRules, one, REPORTER);
  expect(inherited.body).toMatchObject([{ id: source, overridden: false, source_rule: null }]);
  const copy = { ...one, approvals_required: 0, approval_project_rule_id: source };
  const own = await call(createMergeRequestApprovalRule, copy, OWNER);
  expect(own).toMatchObject({
    status: 201,
    body: {
      name: 'Security',
      users: [{ id: SECOND }],
      overridden: true,
      source_rule: { approvals_required: 1 },
    },
  });
  expect(await status()).toBe('mergeable');
  expect(await state()).toMatchObject({ approval_rules_overwritten: true, rules: [{ id: own.body.id }] });
  const it = { ...one, approval_rule_id: own.body.id };
  await call(updateMergeRequestApprovalRule, { ...it, approvals_required: 1 }, OWNER);
  expect((await call(getMergeRequestApprovalRule, it, REPORTER)).body).toMatchObject({ overridden: false });
  expect(await status()).toBe('not_approved');
  expect((await call(getApprovalRule, { ...project, approval_rule_id: own.body.id }, OWNER)).status).toBe(
    404,
  );
  for (const [endpoint, params] of [
    [createMergeRequestApprovalRule, { ...copy, name: 'Other' }],
    [updateMergeRequestApprovalRule, it],
    [deleteMergeRequestApprovalRule, it],
  ] as const)
    expect((await call(endpoint, params, REPORTER)).status).toBe(403);
  expect((await call(deleteMergeRequestApprovalRule, it, DEVELOPER)).status).toBe(204);
  expect(await state()).toMatchObject({ approval_rules_overwritten: false, rules: [{ id: source }] });
});

test('a project fixes its rules, and those that merge requests have no longer count', async () => {
  const { call, ports, rule, status } = await start();
  await rule({ user_ids: [SECOND] });
  const own = { ...one, name: 'Easy', approvals_required: 0, user_ids: [SECOND] };
  expect((await call(createMergeRequestApprovalRule, own, OWNER)).status).toBe(201);
  expect(await status()).toBe('mergeable');
  const settings = { disable_overriding_approvers_per_merge_request: true };
  const data = { projectId: 7, changes: { settings }, previous: null };
  await ports.commands.append('project-7', 1, [{ type: 'ProjectUpdated', data }], { actorId: null } as never);
  expect(await status()).toBe('not_approved');
  expect((await call(createMergeRequestApprovalRule, { ...own, name: 'Next' }, OWNER)).status).toBe(403);
  expect((await call(setApprovalsRequired, { ...one, approvals_required: 1 }, OWNER)).status).toBe(403);
});

test('a number of its own counts above that of the project', async () => {
  const { call, approvals } = await start({ approvals_before_merge: 2 });
  const set = (approvals_required: number) =>
    call(setApprovalsRequired, { ...one, approvals_required }, OWNER);
  expect((await approvals()).approvals_required).toBe(2);
  expect(await set(3)).toMatchObject({ status: 201, body: { approvals_required: 3 } });
  expect(await set(1)).toMatchObject({ status: 201, body: { approvals_required: 2 } });
});

test('a rule for one protected branch is not asked of another', async () => {
  const { ports, rule, status } = await start();
  const branch = (protectedBranchId: number, name: string) => ({
    type: 'ProtectedBranchCreated',
    data: {
      ...{ protectedBranchId, projectId: 7, name, pushAccess: [], mergeAccess: [], unprotectAccess: [] },
      ...{ allowForcePush: false, codeOwnerApprovalRequired: false },
    },
  });
  const both = [branch(1, 'release/*'), branch(2, 'mai*')];
  await ports.commands.append('protectedBranches-7', 'no-stream', both, { actorId: null } as never);
  await rule({ user_ids: [SECOND], protected_branch_ids: [1] });
  expect(await status()).toBe('mergeable');
  await rule({ name: 'Main', user_ids: [SECOND], protected_branch_ids: [2] });
  expect(await status()).toBe('not_approved');
});

test('code owners are asked where the branch demands it, and nothing is merged while they are unknown', async () => {
  const { approve, ports, repository, state, status } = await start();
  const line = {
    section: null,
    isOptional: false,
    approvals: 1,
    pattern: '*.sql',
    owners: ['@user6', '@gone'],
  };
  repository.owned.set(shaOf(1), [line, { ...line, isOptional: true, pattern: '*' }]);
  expect(await status()).toBe('mergeable');
  const branch = {
    type: 'ProtectedBranchCreated',
    data: {
      ...{
        protectedBranchId: 1,
        projectId: 7,
        name: 'ma*',
        pushAccess: [],
        mergeAccess: [],
        unprotectAccess: [],
      },
      ...{ allowForcePush: false, codeOwnerApprovalRequired: true },
    },
  };
  await ports.commands.append('protectedBranches-7', 'no-stream', [branch], { actorId: null } as never);
  expect(await status()).toBe('not_approved');
  expect(await state()).toMatchObject({
    rules: [
      { name: '*', rule_type: 'code_owner', approvals_required: 0, approved: true },
      { name: '*.sql', section: 'codeowners', approvals_required: 1, eligible_approvers: [{ id: SECOND }] },
    ],
  });
  await approve(DEVELOPER);
  expect(await status()).toBe('not_approved');
  await approve(SECOND);
  expect(await status()).toBe('mergeable');
  repository.owned.set(shaOf(2), null);
  const push = [branchMoved('topic1', shaOf(2), shaOf(1))];
  await ports.commands.append('repository-7', 1, push, { actorId: null } as never);
  await approve(SECOND);
  expect(await status()).toBe('not_approved');
});
