import { updateIssue } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import {
  issueTodo,
  listTodos,
  markAllTodosDone,
  markTodoDone,
} from '@forgelog/contracts/tracker/todos/todo.api.ts';
import { projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { issueSlice } from '../issues/issue.slice.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { inIssue, issueOpened } from '../testing/issue-events.ts';
import { todoSlice } from './todo.slice.ts';

const OWNER = 1;
const STRANGER = 2;
const OTHER = 3;
const slices = [issueSlice, todoSlice([issueTarget])];
const given = [
  ...[OWNER, STRANGER, OTHER].map((id) => userCreated(id)),
  projectCreated(7, { visibility: 'public' }),
  ...[1, 2].map((iid) => inIssue(issueOpened(iid))),
  inIssue(issueOpened(3, { confidential: true })),
];
const mark = (iid: number) => ({ id: 7, issue_iid: iid });

test('an issue is put on the list once, and ticked off', async () => {
  const { call, ports } = await startSlices(slices, given);
  const marked = await call(issueTodo, mark(1), STRANGER);
  expect(marked).toMatchObject({
    status: 201,
    body: {
      ...{ id: 1, target_type: 'Issue', body: 'Issue 1', state: 'pending' },
      target: { iid: 1, references: { relative: 'user1/project7#1' } },
      target_url: `${ports.host}/user1/project7/-/issues/1`,
    },
    events: [{ type: 'TodoCreated', data: { userId: STRANGER, targetType: 'Issue', targetId: 71 } }],
  });
  expect(await call(issueTodo, mark(1), STRANGER)).toMatchObject({ status: 304, events: [] });
  expect((await call(listTodos, {}, STRANGER)).body).toEqual([marked.body]);
  expect(await call(markTodoDone, { id: 1 }, STRANGER)).toMatchObject({
    status: 201,
    body: { state: 'done' },
    events: [{ type: 'TodoDone' }],
  });
  expect((await call(listTodos, {}, STRANGER)).body).toEqual([]);
});

test('a list is its owner’s, newest first, and ticked off as a whole', async () => {
  const { call } = await startSlices(slices, given);
  for (const iid of [1, 2]) await call(issueTodo, mark(iid), STRANGER);
  await call(issueTodo, mark(1), OTHER);
  const ids = (await call(listTodos, {}, STRANGER)).body.map(({ id }: { id: number }) => id);
  expect(ids).toEqual([2, 1]);
  expect((await call(markTodoDone, { id: 1 }, OTHER)).status).toBe(404);
  expect((await call(listTodos, {}, null)).status).toBe(401);
  expect((await call(markAllTodosDone, {}, STRANGER)).status).toBe(204);
  expect((await call(listTodos, {}, STRANGER)).body).toEqual([]);
  expect((await call(listTodos, {}, OTHER)).body).toHaveLength(1);
});

test('a target that the caller may not read is on no list and cannot be put there', async () => {
  const { call } = await startSlices(slices, given);
  expect(await call(issueTodo, mark(3), STRANGER)).toMatchObject({ status: 404, events: [] });
  await call(issueTodo, mark(1), STRANGER);
  await call(updateIssue, { ...mark(1), confidential: true }, OWNER);
  expect(await call(listTodos, {}, STRANGER)).toMatchObject({ body: [], headers: { 'x-total': '0' } });
  expect((await call(markTodoDone, { id: 1 }, STRANGER)).status).toBe(404);
  await call(updateIssue, { ...mark(1), assignee_ids: STRANGER, title: 'Renamed' }, OWNER);
  expect((await call(listTodos, {}, STRANGER)).body).toMatchObject([
    { body: 'Issue 1', target: { title: 'Renamed' } },
  ]);
});
