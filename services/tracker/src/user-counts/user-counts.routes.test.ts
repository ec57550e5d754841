import { issueTodo } from '@forgelog/contracts/tracker/todos/todo.api.ts';
import { getUserCounts } from '@forgelog/contracts/tracker/user-counts/user-counts.api.ts';
import { projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { issueSlice } from '../issues/issue.slice.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { mergeRequestSlice } from '../merge-requests/merge-request.slice.ts';
import { mergeRequestTarget } from '../merge-requests/merge-request.target.ts';
import { inIssue, issueOpened } from '../testing/issue-events.ts';
import {
  branchMoved,
  inMergeRequest,
  inRepository,
  mergeRequestCreated,
  shaOf,
} from '../testing/merge-request-events.ts';
import { mergesSlice } from '../testing/merges.slice.ts';
import { todoSlice } from '../todos/todo.slice.ts';
import { userCountsSlice } from './user-counts.slice.ts';

const OWNER = 1;
const ADA = 2;
const BO = 3;
const kinds = [issueTarget, mergeRequestTarget];
const slices = [issueSlice, mergeRequestSlice, todoSlice(kinds), userCountsSlice(kinds), mergesSlice().slice];
const given = [
  ...[OWNER, ADA, BO].map((id) => userCreated(id)),
  projectCreated(7, { visibility: 'public' }),
  inRepository(branchMoved('main', shaOf(9))),
  ...[1, 2].map((iid) => inRepository(branchMoved(`topic${iid}`, shaOf(1)))),
  ...[1, 2].map((iid) => inIssue(issueOpened(iid, { assigneeIds: [ADA] }))),
  inIssue(issueOpened(3, { assigneeIds: [BO], confidential: true, authorId: BO })),
  inMergeRequest(mergeRequestCreated(1, { assigneeIds: [ADA], reviewerIds: [BO] })),
  inMergeRequest(mergeRequestCreated(2, { assigneeIds: [OWNER] })),
];
const counts = {
  ...{ merge_requests: 0, assigned_issues: 0, assigned_merge_requests: 0 },
  ...{ review_requested_merge_requests: 0, todos: 0 },
};

test('users see how much waits for them', async () => {
  const { call } = await startSlices(slices, given);
  const of = async (id: number) => (await call(getUserCounts, {}, id)).body;
  const assigned = { assigned_issues: 2, merge_requests: 1, assigned_merge_requests: 1 };
  expect(await of(ADA)).toMatchObject(assigned);
  expect(await of(BO)).toMatchObject({ ...counts, assigned_issues: 1, review_requested_merge_requests: 1 });
  const before = (await of(ADA)).todos;
  expect((await call(issueTodo, { id: 7, issue_iid: 1 }, ADA)).status).toBe(201);
  expect((await of(ADA)).todos).toBe(before + 1);
  expect((await call(getUserCounts, {}, null)).status).toBe(401);
});
