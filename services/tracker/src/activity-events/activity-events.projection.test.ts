import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { expect, test } from 'vitest';
import { issueTarget } from '../issues/issue.target.ts';
import { issueDeleted, issueOpened, issueUpdated } from '../testing/issue-events.ts';
import { noteDeleted, noteEdited, noteStarted } from '../testing/note-events.ts';
import { activityEvents } from './activity-events.collection.ts';
import { activityEventsProjection } from './activity-events.projection.ts';

const projection = activityEventsProjection([issueTarget]);
const given = (...events: DomainEvent[]) => givenEvents(projection, ...events);

const ids = { issueId: 71, projectId: 7, iid: 1 };
const opened = issueOpened(1, { authorId: 5, assigneeIds: [6] });
const hidden = issueOpened(1, { authorId: 5, assigneeIds: [6], confidential: true });
const commented = noteStarted(1, { authorId: 8 });
const whispered = noteStarted(1, { authorId: 8, confidential: true });
const closed: DomainEvent = { type: 'IssueClosed', data: { ...ids, closedById: 6 } };

test('events get their ids in the order of the log, and keep them', async () => {
  await given(opened, commented, closed, { type: 'IssueReopened', data: ids }).thenDocuments(activityEvents, [
    { id: 1, actionName: 'opened', authorId: 5, subject: 'Issue-71' },
    { id: 2, actionName: 'commented on', authorId: 8, noteId: 1 },
    { id: 3, actionName: 'closed', authorId: 6 },
    { id: 4, actionName: 'reopened', authorId: 1 },
  ]);
});

test('a target that turns confidential takes what was told of it along, and back', async () => {
  const forReaders = { confidential: true, readerIds: [5, 6] };
  await given(opened, commented, issueUpdated(1, { confidential: true })).thenDocuments(activityEvents, [
    forReaders,
    forReaders,
  ]);
  const reassigned = { confidential: true, readerIds: [5, 9] };
  await given(hidden, commented, issueUpdated(1, { assigneeIds: [9] })).thenDocuments(activityEvents, [
    reassigned,
    reassigned,
  ]);
  const open = { confidential: false, readerIds: [] };
  await given(hidden, commented, issueUpdated(1, { confidential: false })).thenDocuments(activityEvents, [
    open,
    open,
  ]);
});

test('a confidential note is for its own author too, unless its issue is confidential', async () => {
  await given(opened, whispered).thenDocuments(activityEvents, [
    { confidential: false },
    { confidential: true, readerIds: [5, 6, 8] },
  ]);
  await given(opened, commented, noteEdited(1, commented, { confidential: true })).thenDocuments(
    activityEvents,
    [{ confidential: false }, { confidential: true, readerIds: [5, 6, 8] }],
  );
  await given(hidden, whispered).thenDocuments(activityEvents, [
    {},
    { confidential: true, readerIds: [5, 6] },
  ]);
});

test('an event is gone with what it is about, and with its author', async () => {
  const told = [opened, commented, closed];
  const left = async (end: DomainEvent) => (await given(...told, end).documents(activityEvents)).length;
  expect(await left(noteDeleted(1, commented, true))).toBe(2);
  expect(await left(issueDeleted(1))).toBe(0);
  expect(await left({ type: 'ProjectDeleted', data: { projectId: 7 } })).toBe(0);
  expect(await left({ type: 'UserDeleted', data: { userId: 8 } })).toBe(2);
});
