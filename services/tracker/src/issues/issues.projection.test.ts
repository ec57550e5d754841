import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { issueDeleted, issueOpened, issueUpdated } from '../testing/issue-events.ts';
import { noteAdded, noteDeleted, noteEdited, noteStarted } from '../testing/note-events.ts';
import { issues } from './issues.collection.ts';
import { issuesProjection } from './issues.projection.ts';

const ids = { issueId: 71, projectId: 7, iid: 1 };
const place = placeOf(7, 1)!;
const first = noteStarted(1, { authorId: 5 });

const HISTORY = [
  issueOpened(1, { description: '- [x] found\n- [ ] mended', createdAt: '2020-01-01T00:00:00.000Z' }),
  first,
  noteAdded(2, first, { authorId: 6 }),
  noteAdded(3, first, { authorId: 8, system: true }),
  noteEdited(1, first, { body: 'x' }),
  noteDeleted(2, first, false),
  { type: 'IssueTimeEstimateSet', data: { ...ids, seconds: 3600 } },
  { type: 'IssueTimeSpentAdded', data: { ...ids, userId: 4, seconds: 90, summary: null } },
  { type: 'IssueTimeSpentAdded', data: { ...ids, userId: 4, seconds: -30, summary: null } },
  issueUpdated(1, { confidential: true, assigneeIds: [5], dueDate: '2030-02-01' }),
  { type: 'IssueClosed', data: { ...ids, closedById: 5 } },
];

test('an issue is what happened to it', async () => {
  await givenEvents(issuesProjection, ...HISTORY).thenDocuments(issues, [
    {
      place,
      id: 71,
      state: 'closed',
      closedById: 5,
      closedAt: '2030-01-01T00:00:11.000Z',
      createdAt: '2020-01-01T00:00:00.000Z',
      updatedAt: '2030-01-01T00:00:11.000Z',
      notesCount: 1,
      participantIds: [5, 6],
      timeEstimate: 3600,
      timeSpent: 60,
      taskCount: 2,
      tasksCompleted: 1,
      dueDate: '2030-02-01',
      dueDateOrLast: '2030-02-01',
      confidential: true,
      assigneeIds: [5],
    },
  ]);
});

test('a confidential note makes its author take part and shows in nothing else', async () => {
  const [issue] = await givenEvents(
    issuesProjection,
    issueOpened(1),
    noteStarted(1, { authorId: 5, confidential: true }),
  ).documents(issues);
  expect(issue).toMatchObject({
    participantIds: [5],
    notesCount: 0,
    updatedAt: '2030-01-01T00:00:01.000Z',
  });
});

test('a reopened issue was never closed, and its time can be reset', async () => {
  await givenEvents(
    issuesProjection,
    ...HISTORY,
    { type: 'IssueReopened', data: ids },
    { type: 'IssueTimeSpentReset', data: ids },
  ).thenDocuments(issues, [{ state: 'opened', closedAt: null, closedById: null, timeSpent: 0 }]);
});

test('a deleted issue leaves its key behind, so that its number is known to be taken', async () => {
  const left = await givenEvents(
    issuesProjection,
    ...HISTORY,
    issueDeleted(1),
    noteAdded(9, first),
  ).documents(issues);
  expect(left).toEqual([{ ...Object.fromEntries(Object.keys(issues.fields).map((f) => [f, null])), place }]);
});

test('with its project an issue is gone, its key too', async () => {
  await givenEvents(
    issuesProjection,
    ...HISTORY,
    issueOpened(1, { projectId: 8 }),
    projectDeleted(7).event,
  ).thenDocuments(issues, [{ projectId: 8 }]);
});

test('notes on other kinds of targets and on unknown issues are not counted', async () => {
  await givenEvents(
    issuesProjection,
    issueOpened(1),
    noteStarted(1, { noteableType: 'MergeRequest' }),
    noteStarted(2, { noteableIid: 4 }),
  ).thenDocuments(issues, [{ notesCount: 0 }]);
});

test('a moved issue says where it goes on', async () => {
  const change = { changes: { movedToId: 90 }, previous: { movedToId: null } };
  const moved = { type: 'IssueMoved', data: { ...ids, toProjectId: 8, toIid: 4, ...change } };
  await givenEvents(issuesProjection, issueOpened(1), moved).thenDocuments(issues, [
    { id: 71, movedToId: 90, movedToPlace: placeOf(8, 4)! },
  ]);
  await givenEvents(issuesProjection, issueOpened(1)).thenDocuments(issues, [{ movedToPlace: null }]);
});
