import type { DiscussionEvent } from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type DiscussionCommand, discussionDecider, MAX_NOTES } from './discussion.decider.ts';

const discussionId = 'a'.repeat(40);
const on = { projectId: 7, type: 'Issue', id: 70, iid: 1 } as const;
const noteable = {
  projectId: 7,
  groupId: null,
  noteableType: 'Issue',
  noteableId: 70,
  noteableIid: 1,
  noteableSha: null,
} as const;
const AUTHOR = 5;

const started = (
  noteId: number,
  note: { confidential?: boolean; system?: boolean } = {},
): DiscussionEvent => ({
  type: 'DiscussionStarted',
  data: {
    discussionId,
    ...noteable,
    individualNote: false,
    noteId,
    authorId: AUTHOR,
    body: 'first',
    createdAt: null,
    confidential: false,
    system: false,
    position: null,
    commitId: null,
    ...note,
  },
});
const added = (noteId: number, note: { body?: string; confidential?: boolean } = {}): DiscussionEvent => ({
  type: 'NoteAdded',
  data: {
    discussionId,
    ...noteable,
    noteId,
    authorId: AUTHOR,
    body: 'reply',
    createdAt: null,
    confidential: false,
    system: false,
    beginsThread: false,
    ...note,
  },
});
interface Fields {
  body?: string;
  confidential?: boolean;
}
const edited = (changes: Fields, previous: Fields): DiscussionEvent => ({
  type: 'NoteEdited',
  data: { discussionId, ...noteable, noteId: 1, changes, previous },
});
const deleted = (noteId: number, last: boolean): DiscussionEvent => ({
  type: 'NoteDeleted',
  data: {
    discussionId,
    ...noteable,
    noteId,
    confidential: false,
    system: false,
    last,
    endsOpenThread: false,
  },
});

const reply = (body = 'reply', noteId = 2): DiscussionCommand => ({
  type: 'AddNote',
  discussionId,
  on,
  noteId,
  authorId: AUTHOR,
  body,
  createdAt: null,
});
const edit = (changes: Fields, by: { editorId?: number; isModerator?: boolean } = {}): DiscussionCommand => ({
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

test('a note starts a discussion', () => {
  const note = {
    noteId: 1,
    authorId: AUTHOR,
    body: 'first',
    createdAt: null,
    confidential: false,
    system: false,
    position: null,
    commitId: null,
  };
  given(discussionDecider)
    .when({ type: 'StartDiscussion', discussionId, on, individualNote: false, ...note })
    .thenEvents(started(1));
  given(discussionDecider, started(1))
    .when({ type: 'StartDiscussion', discussionId, on, individualNote: false, ...note })
    .thenRejected('conflict');
});

test('a reply joins a discussion and is as confidential as its first note', () => {
  given(discussionDecider, started(1)).when(reply()).thenEvents(added(2));
  given(discussionDecider, started(1, { confidential: true }))
    .when(reply())
    .thenEvents(added(2, { confidential: true }));
});

test('there is no reply to what is absent, is gone, or is on something else', () => {
  const missing = { message: '404 Discussion Not Found' };
  given(discussionDecider).when(reply()).thenRejected('not_found', missing);
  given(discussionDecider, started(1), deleted(1, true)).when(reply()).thenRejected('not_found', missing);
  given(discussionDecider, started(1))
    .when({ ...reply(), on: { ...on, id: 71 } })
    .thenRejected('not_found', missing);
  given(discussionDecider, started(1))
    .when({ ...reply(), on: { ...on, type: 'MergeRequest' } })
    .thenRejected('not_found', missing);
});

test.each(['', '  \n\t'])('the body %j says nothing', (body) => {
  given(discussionDecider, started(1))
    .when(reply(body))
    .thenRejected('bad_request', { message: `400 Bad request - Note {:note=>["can't be blank"]}` });
  given(discussionDecider, started(1))
    .when(edit({ body }))
    .thenRejected('refused', { message: `Failed to save note {:note=>["can't be blank"]}` });
});

test('a body ends at a million characters, a discussion at a thousand notes', () => {
  const body = 'x'.repeat(1_000_000);
  given(discussionDecider, started(1)).when(reply(body)).thenEvents(added(2, { body }));
  given(discussionDecider, started(1))
    .when(reply(`${body}x`))
    .thenRejected('bad_request');
  const full = [started(1), ...Array.from({ length: MAX_NOTES - 1 }, (_, at) => added(at + 2))];
  given(discussionDecider, ...full)
    .when(reply('reply', 5000))
    .thenRejected('bad_request');
  given(discussionDecider, ...full, deleted(2, false))
    .when(reply('reply', 5000))
    .thenEvents(added(5000));
});

test('a note is edited by its author or a moderator, and nobody else', () => {
  const changes = { body: 'new' };
  given(discussionDecider, started(1))
    .when(edit(changes))
    .thenEvents(edited(changes, { body: 'first' }));
  given(discussionDecider, started(1))
    .when(edit(changes, { editorId: 6, isModerator: true }))
    .thenEvents(edited(changes, { body: 'first' }));
  given(discussionDecider, started(1))
    .when(edit(changes, { editorId: 6 }))
    .thenRejected('forbidden');
  given(discussionDecider, started(1, { system: true }))
    .when(edit(changes, { isModerator: true }))
    .thenRejected('forbidden');
  given(discussionDecider, started(2)).when(edit(changes)).thenRejected('record_not_found');
});

test('only what changes is in the event, with its old value', () => {
  given(discussionDecider, started(1))
    .when(edit({ body: 'first', confidential: false }))
    .thenEvents();
  given(discussionDecider, started(1))
    .when(edit({ body: 'first', confidential: true }))
    .thenEvents(edited({ confidential: true }, { confidential: false }));
});

test('with its last note a discussion is gone', () => {
  const log = [started(1), added(2), deleted(1, false)];
  given(discussionDecider, started(1), added(2)).when(remove(1)).thenEvents(deleted(1, false));
  given(discussionDecider, ...log)
    .when(remove(2))
    .thenEvents(deleted(2, true));
  given(discussionDecider, ...log)
    .when(remove(1))
    .thenRejected('record_not_found');
  given(discussionDecider, started(1), deleted(1, true)).when(remove(1)).thenRejected('not_found');
  given(discussionDecider, started(1)).when(remove(1, 6)).thenRejected('forbidden');
});

test('a discussion is copied whole, once, with authors, times and who may read each note', () => {
  const createdAt = '2029-01-01T00:00:00.000Z';
  const notes = [
    { noteId: 1, authorId: AUTHOR, body: 'first', createdAt, confidential: false },
    { noteId: 2, authorId: 6, body: 'reply', createdAt, confidential: true },
  ];
  const copy: DiscussionCommand = { type: 'CopyDiscussion', discussionId, on, individualNote: false, notes };
  const first: DiscussionEvent = {
    type: 'DiscussionStarted',
    data: {
      ...{ discussionId, ...noteable, ...notes[0]!, individualNote: false },
      ...{ system: false, position: null, commitId: null },
    },
  };
  const second: DiscussionEvent = {
    type: 'NoteAdded',
    data: { discussionId, ...noteable, ...notes[1]!, system: false, beginsThread: false },
  };
  given(discussionDecider).when(copy).thenEvents(first, second);
  given(discussionDecider, first, second).when(copy).thenRejected('conflict');
});
