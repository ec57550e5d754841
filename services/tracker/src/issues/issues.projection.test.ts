import { openMemoryReadStore } from '@forgelog/eventing/adapters/memory/memory-read-store.ts';
import { type RecordedEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { ProjectionBatch } from '@forgelog/eventing/projection-batch.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { beforeEach, expect, test } from 'vitest';
import { todos } from '../todos/todos.collection.ts';
import { issues, placeOf } from './issues.collection.ts';
import { issuesProjection } from './issues.projection.ts';

const ids = { issueId: 70, projectId: 7, iid: 3 };
const place = placeOf(7, 3)!;

const opened = {
  type: 'IssueOpened',
  data: {
    ...ids,
    authorId: 4,
    title: 'Broken',
    description: '- [x] found',
    issueType: 'issue',
    confidential: false,
    labels: ['bug'],
    assigneeIds: [],
    milestoneId: null,
    dueDate: null,
    weight: null,
    createdAt: '2020-01-01T00:00:00.000Z',
  },
};
const note = (noteId: number, more: object = {}) => ({
  discussionId: 'a'.repeat(40),
  projectId: 7,
  noteableType: 'Issue',
  noteableId: 70,
  noteableIid: 3,
  noteId,
  authorId: 5,
  system: false,
  ...more,
});
const todo = {
  todoId: 1,
  userId: 9,
  authorId: 9,
  projectId: 7,
  action: 'marked',
  targetType: 'Issue',
  targetId: 70,
  targetIid: 3,
  body: 'Broken',
};

let readStore: ReadStore;
beforeEach(async () => {
  readStore = openMemoryReadStore();
  await readStore.declare([issues, todos]);
});

/** Applies events as a projector does, in one batch, each at its place in the log. */
async function apply(...events: { type: string; data: object }[]) {
  const batch = new ProjectionBatch(issuesProjection, readStore);
  for (const [at, event] of events.entries()) {
    const position = String(at + 1).padStart(10, '0');
    const time = new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString();
    const recorded = { ...event, position, time, metadata: SYSTEM_METADATA } as unknown as RecordedEvent;
    batch.begin(position);
    await issuesProjection.project(recorded, batch.documents);
  }
  await readStore.write({ changes: batch.changes(), checkpoints: new Map() });
  return readStore.get(issues, place);
}

const HISTORY = [
  opened,
  { type: 'DiscussionStarted', data: note(1) },
  { type: 'NoteAdded', data: note(2, { authorId: 6 }) },
  { type: 'NoteAdded', data: note(3, { authorId: 8, system: true }) },
  { type: 'NoteEdited', data: note(1, { changes: { body: 'x' } }) },
  { type: 'NoteDeleted', data: note(2) },
  { type: 'TodoCreated', data: todo },
  { type: 'IssueTimeEstimateSet', data: { ...ids, seconds: 3600 } },
  { type: 'IssueTimeSpentAdded', data: { ...ids, userId: 4, seconds: 90, summary: null } },
  { type: 'IssueTimeSpentAdded', data: { ...ids, userId: 4, seconds: -30, summary: null } },
  {
    type: 'IssueUpdated',
    data: { ...ids, changes: { confidential: true, assigneeIds: [5] }, updatedAt: null },
  },
  { type: 'IssueClosed', data: { ...ids, closedById: 5 } },
];

test('an issue is what happened to it', async () => {
  expect(await apply(...HISTORY)).toMatchObject({
    id: 70,
    state: 'closed',
    closedById: 5,
    closedAt: '2026-01-01T00:00:11.000Z',
    createdAt: '2020-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:11.000Z',
    notesCount: 1,
    participantIds: [5, 6],
    timeEstimate: 3600,
    timeSpent: 60,
    confidential: true,
    assigneeIds: [5],
  });
  expect(await readStore.get(todos, 1)).toMatchObject({
    confidential: true,
    readerIds: [4, 5],
    state: 'pending',
  });
});

test('events that come twice change nothing', async () => {
  const first = [await apply(...HISTORY), await readStore.get(todos, 1)];
  expect([await apply(...HISTORY), await readStore.get(todos, 1)]).toEqual(first);
});

test('of a deleted issue nothing is left but that its number is taken', async () => {
  const left = await apply(
    ...HISTORY,
    { type: 'IssueDeleted', data: ids },
    { type: 'NoteAdded', data: note(9) },
  );
  expect(left).toEqual({ ...Object.fromEntries(Object.keys(issues.fields).map((f) => [f, null])), place });
  expect(await readStore.get(todos, 1)).toBeUndefined();
});

test('what is said of merge requests, or of what is not there, is no concern', async () => {
  await apply(opened, { type: 'NoteAdded', data: note(1, { noteableType: 'MergeRequest' }) });
  expect(await readStore.get(issues, place)).toMatchObject({ notesCount: 0 });
  await apply(opened, { type: 'NoteAdded', data: note(1, { noteableIid: 4 }) });
  expect(await readStore.get(issues, placeOf(7, 4)!)).toBeUndefined();
});
