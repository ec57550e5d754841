import { Rejection } from '@forgelog/contracts/errors.ts';
import type { DiscussionEvent } from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { expect, test } from 'vitest';
import { type DiscussionCommand, discussionDecider, MAX_NOTES } from './discussion.decider.ts';

const { decide, evolve, initialState } = discussionDecider;
const discussionId = 'a'.repeat(40);
const on = { projectId: 7, noteableType: 'Issue', noteableId: 70, noteableIid: 1 } as const;
const AUTHOR = 5;

const started = (
  noteId: number,
  note: { confidential?: boolean; system?: boolean } = {},
): DiscussionEvent => ({
  type: 'DiscussionStarted',
  data: {
    discussionId,
    ...on,
    individualNote: false,
    noteId,
    authorId: AUTHOR,
    body: 'first',
    createdAt: null,
    confidential: false,
    system: false,
    ...note,
  },
});
const added = (noteId: number): DiscussionEvent => ({
  type: 'NoteAdded',
  data: {
    discussionId,
    ...on,
    noteId,
    authorId: AUTHOR,
    body: 'reply',
    createdAt: null,
    confidential: false,
    system: false,
  },
});
const deleted = (noteId: number, last: boolean): DiscussionEvent => ({
  type: 'NoteDeleted',
  data: { discussionId, ...on, noteId, confidential: false, system: false, last },
});

const when = (given: readonly DiscussionEvent[], command: DiscussionCommand) =>
  decide(command, given.reduce(evolve, initialState));
function rejected(given: readonly DiscussionEvent[], command: DiscussionCommand) {
  try {
    when(given, command);
  } catch (error) {
    if (error instanceof Rejection) return { status: error.status, body: error.body };
    throw error;
  }
  throw new Error('was not rejected');
}

const reply = (body = 'reply', noteId = 2): DiscussionCommand => ({
  type: 'AddNote',
  discussionId,
  on,
  noteId,
  authorId: AUTHOR,
  body,
  createdAt: null,
});
const edit = (
  changes: { body?: string; confidential?: boolean },
  by: { editorId?: number; isModerator?: boolean } = {},
): DiscussionCommand => ({
  type: 'EditNote',
  discussionId,
  on,
  noteId: 1,
  editorId: AUTHOR,
  isModerator: false,
  ...changes,
  ...by,
});
const remove = (noteId: number, editorId = AUTHOR): DiscussionCommand => ({
  type: 'DeleteNote',
  discussionId,
  on,
  noteId,
  editorId,
  isModerator: false,
});

const FORBIDDEN = { status: 403, body: { message: '403 Forbidden' } };
const NO_DISCUSSION = { status: 404, body: { message: '404 Discussion Not Found' } };
const NO_NOTE = { status: 404, body: { message: '404 Not found' } };

test('a note starts a discussion', () => {
  const note = {
    noteId: 1,
    authorId: AUTHOR,
    body: 'first',
    createdAt: null,
    confidential: false,
    system: false,
  };
  expect(when([], { type: 'StartDiscussion', discussionId, on, individualNote: false, ...note })).toEqual([
    started(1),
  ]);
});

test('replies join it, as confidential as its first note', () => {
  expect(when([started(1)], reply())).toEqual([added(2)]);
  expect(when([started(1, { confidential: true })], reply())).toMatchObject([
    { data: { confidential: true } },
  ]);
});

test('there is no reply to what is not there, is gone, or is on something else', () => {
  expect(rejected([], reply())).toEqual(NO_DISCUSSION);
  expect(rejected([started(1), deleted(1, true)], reply())).toEqual(NO_DISCUSSION);
  expect(rejected([started(1)], { ...reply(), on: { ...on, noteableId: 71 } })).toEqual(NO_DISCUSSION);
});

test.each(['', '  \n\t'])('the body %j says nothing', (body) => {
  expect(rejected([started(1)], reply(body))).toEqual({
    status: 400,
    body: { message: `400 Bad request - Note {:note=>["can't be blank"]}` },
  });
  expect(rejected([started(1)], edit({ body }))).toEqual({
    status: 400,
    body: { message: `Failed to save note {:note=>["can't be blank"]}` },
  });
});

test('a body ends at a million characters, a discussion at a thousand notes', () => {
  expect(when([started(1)], reply('x'.repeat(1_000_000)))).toHaveLength(1);
  expect(rejected([started(1)], reply('x'.repeat(1_000_001)))).toMatchObject({ status: 400 });
  const full = [started(1), ...Array.from({ length: MAX_NOTES - 1 }, (_, at) => added(at + 2))];
  expect(rejected(full, reply('one more', 5000))).toMatchObject({ status: 400 });
  expect(when([...full, deleted(2, false)], reply('one more', 5000))).toHaveLength(1);
});

test('its author and whoever moderates may edit a note, nobody else', () => {
  expect(when([started(1)], edit({ body: 'new' }))).toMatchObject([{ data: { changes: { body: 'new' } } }]);
  expect(when([started(1)], edit({ body: 'new' }, { editorId: 6, isModerator: true }))).toHaveLength(1);
  expect(rejected([started(1)], edit({ body: 'new' }, { editorId: 6 }))).toEqual(FORBIDDEN);
  expect(rejected([started(1, { system: true })], edit({ body: 'new' }, { isModerator: true }))).toEqual(
    FORBIDDEN,
  );
  expect(rejected([started(2)], edit({ body: 'new' }))).toEqual(NO_NOTE);
});

test('only what changes is in the event', () => {
  expect(when([started(1)], edit({ body: 'first', confidential: false }))).toEqual([]);
  expect(when([started(1)], edit({ body: 'first', confidential: true }))).toMatchObject([
    { data: { changes: { confidential: true } } },
  ]);
});

test('with its last note a discussion is gone', () => {
  expect(when([started(1), added(2)], remove(1))).toEqual([deleted(1, false)]);
  expect(when([started(1), added(2), deleted(1, false)], remove(2))).toEqual([deleted(2, true)]);
  expect(rejected([started(1), added(2), deleted(1, false)], remove(1))).toEqual(NO_NOTE);
  expect(rejected([started(1), deleted(1, true)], remove(1))).toEqual(NO_DISCUSSION);
  expect(rejected([started(1)], remove(1, 6))).toEqual(FORBIDDEN);
});
