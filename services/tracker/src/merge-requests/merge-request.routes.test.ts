import {
  approveMergeRequest,
  getApprovals,
  unapproveMergeRequest,
} from '@forgelog/contracts/tracker/merge-requests/approval.api.ts';
import {
  createMergeRequest,
  deleteMergeRequest,
  getMergeRequest,
  updateMergeRequest,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.api.ts';
import {
  listMergeRequests,
  listProjectMergeRequests,
} from '@forgelog/contracts/tracker/merge-requests/merge-request-list.api.ts';
import { mergeRequestTodo } from '@forgelog/contracts/tracker/todos/todo.api.ts';
import { memberAdded, userCreated } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { issueSlice } from '../issues/issue.slice.ts';
import { labelSlice } from '../labels/label.slice.ts';
import { milestoneSlice } from '../milestones/milestone.slice.ts';
import {
  branchMoved,
  inMergeRequest,
  inRepository,
  mergeRequestCreated,
  shaOf,
} from '../testing/merge-request-events.ts';
import { mergesSlice } from '../testing/merges.slice.ts';
import { todoSlice } from '../todos/todo.slice.ts';
import { mergeRequestSlice } from './merge-request.slice.ts';
import { mergeRequestTarget } from './merge-request.target.ts';

const GUEST = 5;
const one = { id: 7, merge_request_iid: 1 };
const branches = { id: 7, source_branch: 'topic', target_branch: 'main' };
const tips = [
  inRepository(branchMoved('main', shaOf(9))),
  inRepository(branchMoved('topic', shaOf(1))),
  inRepository(branchMoved('topic1', shaOf(1))),
];

async function start(...more: Parameters<typeof startSlices>[1] & object) {
  const { slice, repository } = mergesSlice();
  const slices = [
    issueSlice,
    labelSlice,
    milestoneSlice,
    mergeRequestSlice,
    todoSlice([mergeRequestTarget]),
    slice,
  ];
  const given = [...team, userCreated(GUEST), memberAdded(7, GUEST, 10), ...tips, ...more];
  return { ...(await startSlices(slices, given)), repository };
}

test('a developer opens, reads and closes one, and its owner deletes it', async () => {
  const { call } = await start();
  const given = { ...branches, title: ' Draft: x ', labels: 'bug,bug', reviewer_ids: [OWNER, OUTSIDER] };
  const opened = await call(createMergeRequest, given, DEVELOPER);
  expect(opened).toMatchObject({
    status: 201,
    body: {
      ...{ iid: 1, title: 'Draft: x', draft: true, labels: ['bug'], state: 'opened', sha: shaOf(1) },
      ...{ merge_status: 'can_be_merged', detailed_merge_status: 'draft_status', has_conflicts: false },
      ...{ author: { id: DEVELOPER }, reviewers: [{ id: OWNER }], user: { can_merge: true } },
      ...{ changes_count: '2', subscribed: true },
      diff_refs: { base_sha: shaOf(8), head_sha: shaOf(1), start_sha: shaOf(9) },
      references: { short: '!1', relative: '!1', full: 'user1/project7!1' },
    },
    events: [
      { type: 'LabelCreated' },
      { type: 'MergeRequestCreated', data: { sourceSha: shaOf(1), targetSha: shaOf(9) } },
    ],
  });
  expect(await call(getMergeRequest, one, REPORTER)).toMatchObject({ status: 200, body: { iid: 1 } });
  const more = { include_diverged_commits_count: true, include_rebase_in_progress: true };
  expect((await call(getMergeRequest, { ...one, ...more }, REPORTER)).body).toMatchObject({
    ...{ diverged_commits_count: 3, rebase_in_progress: false, subscribed: false },
  });
  const closed = await call(updateMergeRequest, { ...one, state_event: 'close' }, DEVELOPER);
  expect(closed.body).toMatchObject({ state: 'closed', detailed_merge_status: 'not_open' });
  expect((await call(deleteMergeRequest, one, DEVELOPER)).status).toBe(403);
  expect(await call(deleteMergeRequest, one, OWNER)).toMatchObject({ status: 204 });
  expect((await call(getMergeRequest, one, OWNER)).status).toBe(404);
  expect((await call(listProjectMergeRequests, { id: 7 }, OWNER)).body).toEqual([]);
});

test('a branch that is not there, the same branch and a second one are refused, and nothing happens', async () => {
  const { call } = await start();
  const create = (more: object) => call(createMergeRequest, { ...branches, title: 'x', ...more }, DEVELOPER);
  expect(await create({ source_branch: 'none' })).toMatchObject({
    ...{ status: 400, body: { message: { source_branch: ['does not exist'] } }, events: [] },
  });
  expect(await create({ target_branch: 'topic' })).toMatchObject({ status: 422, events: [] });
  expect((await create({})).status).toBe(201);
  expect(await create({})).toMatchObject({
    status: 409,
    body: { message: ['Another open merge request already exists for this source branch: !1'] },
    events: [],
  });
  await call(updateMergeRequest, { ...one, state_event: 'close' }, DEVELOPER);
  expect((await create({})).body).toMatchObject({ iid: 2 });
  expect((await call(updateMergeRequest, { ...one, state_event: 'reopen' }, DEVELOPER)).status).toBe(409);
});

test('of many at once for one branch, one is opened', async () => {
  const { call } = await start();
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => call(createMergeRequest, { ...branches, title: 'x' }, DEVELOPER)),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
});

test('reporters read, guests of a private project and strangers see none', async () => {
  const { call } = await start(inMergeRequest(mergeRequestCreated(1)));
  const statuses = async (endpoint: typeof getMergeRequest | typeof listProjectMergeRequests) =>
    Promise.all([REPORTER, GUEST, OUTSIDER, null].map(async (as) => (await call(endpoint, one, as)).status));
  expect(await statuses(getMergeRequest)).toEqual([200, 403, 404, 401]);
  expect(await statuses(listProjectMergeRequests)).toEqual([200, 403, 404, 401]);
  const all = async (as: number) => (await call(listMergeRequests, { scope: 'all' }, as)).body.length;
  expect([await all(REPORTER), await all(GUEST), await all(OUTSIDER)]).toEqual([1, 0, 0]);
  expect((await call(createMergeRequest, { ...branches, title: 'x' }, REPORTER)).status).toBe(403);
  expect((await call(updateMergeRequest, { ...one, title: 'y' }, REPORTER)).status).toBe(403);
});

test('mergeability is that of the commits in the answer, and asked for once', async () => {
  const { call, repository, ports } = await start(inMergeRequest(mergeRequestCreated(1)));
  const listed = async () => (await call(listProjectMergeRequests, { id: 7 }, OWNER)).body[0];
  expect(await listed()).toMatchObject({ merge_status: 'can_be_merged', detailed_merge_status: 'mergeable' });
  await listed();
  expect(repository.described).toBe(1);
  repository.conflicting.add(shaOf(2));
  const push = branchMoved('topic1', shaOf(2), shaOf(1));
  await ports.commands.append('repository-7', 2, [push], { actorId: null } as never);
  expect(await listed()).toMatchObject({
    ...{ sha: shaOf(2), merge_status: 'cannot_be_merged', detailed_merge_status: 'conflict' },
    has_conflicts: true,
  });
  expect(repository.described).toBe(2);
  const gone = branchMoved('topic1', null, shaOf(2));
  await ports.commands.append('repository-7', 3, [gone], { actorId: null } as never);
  expect(await listed()).toMatchObject({ merge_status: 'cannot_be_merged', has_conflicts: false });
});

test('lists are filtered', async () => {
  const { call } = await start(
    ...[
      mergeRequestCreated(1, { title: 'Draft: first', labels: ['bug'], assigneeIds: [REPORTER] }),
      mergeRequestCreated(2, { title: 'second', reviewerIds: [DEVELOPER], authorId: DEVELOPER }),
      mergeRequestCreated(3, { title: 'third', description: 'as the second' }),
    ].map(inMergeRequest),
  );
  const iids = async (filters: object, as = OWNER) =>
    (await call(listProjectMergeRequests, { id: 7, sort: 'asc', ...filters }, as)).body.map(
      ({ iid }: { iid: number }) => iid,
    );
  const table: [object, number[]][] = [
    [{}, [1, 2, 3]],
    [{ wip: 'yes' }, [1]],
    [{ wip: 'no' }, [2, 3]],
    [{ labels: 'bug' }, [1]],
    [{ 'not[labels]': 'bug' }, [2, 3]],
    [{ assignee_id: REPORTER }, [1]],
    [{ assignee_id: 'None' }, [2, 3]],
    [{ reviewer_id: 'Any' }, [2]],
    [{ reviewer_username: 'user2' }, [2]],
    [{ reviewer_username: 'none' }, [1, 3]],
    [{ 'not[reviewer_username]': 'user2' }, [1, 3]],
    [{ author_username: 'user2' }, [2]],
    [{ 'not[author_id]': DEVELOPER }, [1, 3]],
    [{ author_username: 'nobody' }, []],
    [{ source_branch: 'topic2' }, [2]],
    [{ target_branch: 'other' }, []],
    [{ search: 'second' }, [2, 3]],
    [{ search: 'second', in: 'title' }, [2]],
    [{ state: 'merged' }, []],
    [{ 'iids[]': 3 }, [3]],
    [{ scope: 'created_by_me' }, [1, 3]],
    [{ scope: 'assigned_to_me' }, []],
    [{ milestone: 'None' }, [1, 2, 3]],
    [{ milestone: 'v1' }, []],
    [{ environment: 'production' }, []],
  ];
  for (const [filters, wanted] of table) expect(await iids(filters), JSON.stringify(filters)).toEqual(wanted);
  const [simple] = (await call(listProjectMergeRequests, { id: 7, view: 'simple' }, OWNER)).body;
  expect(Object.keys(simple)).toHaveLength(9);
  const both = { id: 7, 'not[author_id]': 1, 'not[author_username]': 'user1' };
  expect((await call(listProjectMergeRequests, both, OWNER)).status).toBe(400);
});

test('others approve what they have seen', async () => {
  const { call } = await start(inMergeRequest(mergeRequestCreated(1)));
  expect((await call(approveMergeRequest, one, OWNER)).status).toBe(401);
  expect((await call(approveMergeRequest, one, REPORTER)).status).toBe(403);
  expect(await call(approveMergeRequest, { ...one, sha: shaOf(5) }, DEVELOPER)).toMatchObject({
    status: 409,
    body: { message: `SHA does not match HEAD of source branch: ${shaOf(1)}` },
  });
  expect((await call(getApprovals, one, DEVELOPER)).body).toMatchObject({
    ...{ approved: false, user_can_approve: true, user_has_approved: false, approved_by: [] },
  });
  expect(await call(approveMergeRequest, { ...one, sha: shaOf(1) }, DEVELOPER)).toMatchObject({
    status: 201,
    body: { approved: true, user_has_approved: true, approved_by: [{ user: { id: DEVELOPER } }] },
  });
  expect((await call(unapproveMergeRequest, one, DEVELOPER)).body).toMatchObject({ approved: false });
  expect((await call(unapproveMergeRequest, one, DEVELOPER)).status).toBe(404);
});

test('a to-do item shows it as lists do', async () => {
  const { call, ports } = await start(inMergeRequest(mergeRequestCreated(1)));
  expect((await call(mergeRequestTodo, one, REPORTER)).body).toMatchObject({
    ...{ target_type: 'MergeRequest', target_url: `${ports.host}/user1/project7/-/merge_requests/1` },
    target: { iid: 1, merge_status: 'can_be_merged', references: { relative: 'user1/project7!1' } },
  });
});
