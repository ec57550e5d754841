import type { TodoEvent } from '@forgelog/contracts/tracker/todos/todo.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { issueTarget } from '../issues/issue.target.ts';
import { issueDeleted, issueOpened, issueUpdated } from '../testing/issue-events.ts';
import { todos } from './todos.collection.ts';
import { todosProjection } from './todos.projection.ts';

const projection = todosProjection([issueTarget]);
const created = (todoId: number, iid = 1, userId = 4): TodoEvent => ({
  type: 'TodoCreated',
  data: {
    ...{ todoId, userId, authorId: userId, projectId: 7, action: 'marked' },
    ...{ targetType: 'Issue', targetId: 70 + iid, targetIid: iid, body: 'Broken' },
  },
});
const opened = issueOpened(1, { assigneeIds: [5] });

test('an item is pending until it is done', async () => {
  await givenEvents(projection, opened, created(1)).thenDocuments(todos, [
    {
      ...{ id: 1, userId: 4, targetType: 'Issue', targetId: 71, targetIid: 1, text: 'Broken' },
      ...{ state: 'pending', confidential: false, readerIds: [1, 5], createdAt: '2030-01-01T00:00:02.000Z' },
    },
  ]);
  await givenEvents(projection, opened, created(1), {
    type: 'TodoDone',
    data: { todoId: 1, userId: 4 },
  }).thenDocuments(todos, [{ state: 'done' }]);
});

test('an item is for those who may read its target, as that is now', async () => {
  const hidden = { confidential: true, readerIds: [1, 5] };
  await givenEvents(
    projection,
    issueOpened(1, { confidential: true, assigneeIds: [5] }),
    created(1),
  ).thenDocuments(todos, [hidden]);
  const confidential = issueUpdated(1, { confidential: true });
  await givenEvents(projection, opened, created(1), confidential).thenDocuments(todos, [hidden]);
  await givenEvents(projection, opened, confidential, created(1)).thenDocuments(todos, [hidden]);
  await givenEvents(
    projection,
    ...[opened, created(1), confidential],
    issueUpdated(1, { assigneeIds: [6, 8] }),
  ).thenDocuments(todos, [{ confidential: true, readerIds: [1, 6, 8] }]);
  await givenEvents(
    projection,
    ...[opened, created(1), confidential],
    issueUpdated(1, { confidential: false, title: 'New' }),
  ).thenDocuments(todos, [{ confidential: false }]);
});

test('a change of one target leaves items on others alone', async () => {
  const items = await givenEvents(
    projection,
    ...[opened, issueOpened(2), created(1), created(2, 2)],
    issueUpdated(2, { confidential: true }),
  ).documents(todos);
  expect(items.map(({ confidential }) => confidential)).toEqual([false, true]);
});

test('an item is gone with its target, its project and its user', async () => {
  const all = [opened, issueOpened(2), created(1), created(2, 2), created(3, 2, 6)];
  await givenEvents(projection, ...all, issueDeleted(2)).thenDocuments(todos, [{ id: 1 }]);
  await givenEvents(projection, ...all, projectDeleted(7).event).thenDocuments(todos, []);
  await givenEvents(projection, ...all, { type: 'UserDeleted', data: { userId: 4 } }).thenDocuments(todos, [
    { id: 3 },
  ]);
});
