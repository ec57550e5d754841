import {
  createIssue,
  deleteIssue,
  getIssue,
  getIssueById,
  listProjectIssues,
  updateIssue,
} from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { labelSlice } from '../labels/label.slice.ts';
import { issueSlice } from './issue.slice.ts';

const OWNER = 1;
const REPORTER = 2;
const GUEST = 3;
const OUTSIDER = 4;
const given = [
  ...[OWNER, REPORTER, GUEST, OUTSIDER].map((id) => userCreated(id)),
  projectCreated(7),
  memberAdded(7, REPORTER, 20),
  memberAdded(7, GUEST, 10),
];
const one = { id: 7, issue_iid: 1 };

test('a reporter opens, reads, closes an issue, and its owner deletes it', async () => {
  const { call } = await startSlices([issueSlice, labelSlice], given);
  const opened = await call(createIssue, { id: 7, title: ' Broken ', labels: 'bug,bug' }, REPORTER);
  expect(opened).toMatchObject({
    status: 201,
    body: { iid: 1, title: 'Broken', labels: ['bug'], author: { id: REPORTER }, subscribed: true },
    events: [
      { type: 'LabelCreated', data: { labelId: 1, projectId: 7, title: 'bug' } },
      { type: 'IssueOpened', data: { projectId: 7, iid: 1, title: 'Broken', labelIds: [1] } },
    ],
  });
  expect(await call(getIssue, one, REPORTER)).toMatchObject({ status: 200, body: opened.body });
  const closed = await call(updateIssue, { ...one, state_event: 'close' }, REPORTER);
  expect(closed).toMatchObject({
    status: 200,
    body: { state: 'closed', closed_by: { id: REPORTER } },
    events: [{ type: 'IssueClosed' }],
  });
  expect((await call(deleteIssue, one, REPORTER)).status).toBe(403);
  expect(await call(deleteIssue, one, OWNER)).toMatchObject({
    status: 204,
    events: [{ type: 'IssueDeleted' }],
  });
  expect((await call(listProjectIssues, { id: 7 }, OWNER)).body).toEqual([]);
});

test('a guest opens issues without planning them, and others do not see the project', async () => {
  const { call } = await startSlices([issueSlice, labelSlice], given);
  const wanted = { id: 7, title: 'x', labels: 'bug', weight: 3, due_date: '2030-01-01' };
  expect(await call(createIssue, wanted, GUEST)).toMatchObject({
    status: 201,
    body: { labels: [], weight: null, due_date: null },
  });
  const refused = [await call(createIssue, wanted, OUTSIDER), await call(createIssue, wanted, null)];
  expect(refused.map(({ status }) => status)).toEqual([404, 401]);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
});

test('a confidential issue is there for reporters, author and assignees alone', async () => {
  const { call } = await startSlices([issueSlice, labelSlice], given);
  await call(createIssue, { id: 7, title: 'secret', confidential: true }, REPORTER);
  expect((await call(getIssue, one, GUEST)).status).toBe(404);
  expect((await call(listProjectIssues, { id: 7 }, GUEST)).body).toEqual([]);
  await call(updateIssue, { ...one, assignee_ids: GUEST }, REPORTER);
  expect((await call(getIssue, one, GUEST)).status).toBe(200);
  expect((await call(listProjectIssues, { id: 7 }, GUEST)).body).toHaveLength(1);
});

test('an invalid issue takes neither id nor number', async () => {
  const { call } = await startSlices([issueSlice, labelSlice], given);
  expect(await call(createIssue, { id: 7, title: ' ' }, OWNER)).toMatchObject({
    status: 400,
    body: { message: { title: ["can't be blank"] } },
    events: [],
  });
  expect((await call(createIssue, { id: 7, title: 'x' }, OWNER)).body).toMatchObject({ id: 1, iid: 1 });
  expect((await call(createIssue, { id: 7, title: 'x', iid: 1 }, OWNER)).status).toBe(409);
});

test('administrators find an issue of any project by its id', async () => {
  const ADMIN = 9;
  const { call } = await startSlices(
    [issueSlice, labelSlice],
    [...given, userCreated(ADMIN, { admin: true })],
  );
  const { body } = await call(createIssue, { id: 7, title: 'Broken', confidential: true }, OWNER);
  const found = await call(getIssueById, { id: body.id }, ADMIN);
  expect(found).toMatchObject({ status: 200, body: { id: body.id, title: 'Broken', project_id: 7 } });
  expect((await call(getIssueById, { id: body.id }, OWNER)).status).toBe(403);
  expect((await call(getIssueById, { id: body.id }, null)).status).toBe(401);
  await call(deleteIssue, one, OWNER);
  for (const id of [body.id, 0, 404])
    expect(await call(getIssueById, { id }, ADMIN)).toMatchObject({
      ...{ status: 404, body: { message: '404 Not found' } },
    });
});
