import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { dump } from '@forgelog/eventing/rebuild.ts';
import { applyTo, projected, recorded } from '@forgelog/eventing/testing/projecting.ts';
import { expect, test } from 'vitest';
import { activityEvents } from './activity-events.collection.ts';
import { activityEventsProjection } from './activity-events.projection.ts';

const { collections } = activityEventsProjection;

const log = (events: readonly DomainEvent[]) =>
  events.map((event, at) => recorded(at + 1, event, { actorId: 5 }));
const after = (events: readonly DomainEvent[]) => projected(activityEventsProjection, log(events));
const rowsAfter = async (events: readonly DomainEvent[]) => (await after(events)).all(activityEvents);

const issue = { issueId: 70, projectId: 7, iid: 1 };
const opened = (confidential: boolean): DomainEvent => ({
  type: 'IssueOpened',
  data: { ...issue, authorId: 5, assigneeIds: [6], confidential, title: 't' },
});
const updated = (changes: object): DomainEvent => ({ type: 'IssueUpdated', data: { ...issue, changes } });
const commented = (noteId: number, authorId: number, confidential = false): DomainEvent => ({
  type: 'DiscussionStarted',
  data: {
    discussionId: 'a'.repeat(40),
    projectId: 7,
    noteableType: 'Issue',
    noteableId: 70,
    noteableIid: 1,
    individualNote: true,
    noteId,
    authorId,
    body: 'x',
    createdAt: null,
    confidential,
    system: false,
  },
});
const closed: DomainEvent = { type: 'IssueClosed', data: { ...issue, closedById: 6 } };

test('events get their ids in the order of the log, and keep them', async () => {
  const events = [opened(false), commented(1, 8), closed, { type: 'IssueReopened', data: issue }];
  const { readStore, all } = await after(events);
  expect(
    (await all(activityEvents)).map(({ id, actionName, authorId }) => [id, actionName, authorId]),
  ).toEqual([
    [1, 'opened', 5],
    [2, 'commented on', 8],
    [3, 'closed', 6],
    [4, 'reopened', 5],
  ]);
  const before = await dump(readStore, collections);
  await applyTo(readStore, activityEventsProjection, log(events));
  expect(await dump(readStore, collections)).toBe(before);
});

test('what turns confidential takes what was told of it along, and back', async () => {
  const hidden = await rowsAfter([opened(false), commented(1, 8), updated({ confidential: true })]);
  for (const row of hidden) expect(row).toMatchObject({ confidential: true, readerIds: [5, 6] });
  const reassigned = await rowsAfter([opened(true), commented(1, 8), updated({ assigneeIds: [9] })]);
  for (const row of reassigned) expect(row.readerIds).toEqual([5, 9]);
  const shown = await rowsAfter([opened(true), commented(1, 8), updated({ confidential: false })]);
  for (const row of shown) expect(row).toMatchObject({ confidential: false, readerIds: [] });
});

test('a confidential note is for its own author too, unless its issue is not', async () => {
  const open = await rowsAfter([opened(false), commented(1, 8, true)]);
  expect(open).toMatchObject([{ confidential: false }, { confidential: true, readerIds: [5, 6, 8] }]);
  const shut = await rowsAfter([opened(true), commented(1, 8, true)]);
  expect(shut[1]).toMatchObject({ confidential: true, readerIds: [5, 6] });
});

test('with what they tell of, events go', async () => {
  const told = [opened(false), commented(1, 8), closed];
  const noteGone: DomainEvent = { type: 'NoteDeleted', data: { noteId: 1 } };
  expect(await rowsAfter([...told, noteGone])).toHaveLength(2);
  expect(await rowsAfter([...told, { type: 'IssueDeleted', data: issue }])).toEqual([]);
  expect(await rowsAfter([...told, { type: 'ProjectDeleted', data: { projectId: 7 } }])).toEqual([]);
  expect(await rowsAfter([...told, { type: 'UserDeleted', data: { userId: 8 } }])).toHaveLength(2);
});
