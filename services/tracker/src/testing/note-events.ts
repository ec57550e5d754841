import type { DiscussionEvent } from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { on, type StreamedEvent } from '@forgelog/testing/sample-events.ts';

type Started = Extract<DiscussionEvent, { type: 'DiscussionStarted' }>;
type Data = Started['data'];

const onIssue = {
  projectId: 7,
  groupId: null,
  noteableType: 'Issue',
  noteableId: 71,
  noteableIid: 1,
  noteableSha: null,
} as const;

/** The id of the discussion that a note starts: the same digit forty times. */
export const discussionOf = (noteId: number): string => String(noteId % 10).repeat(40);

/** A discussion on issue 1 of project 7 that starts with this note of user 1. */
export const noteStarted = (noteId: number, more: Partial<Data> = {}): Started => ({
  type: 'DiscussionStarted',
  data: {
    discussionId: discussionOf(noteId),
    ...onIssue,
    individualNote: true,
    noteId,
    authorId: 1,
    body: `Note ${noteId}`,
    createdAt: null,
    confidential: false,
    system: false,
    position: null,
    commitId: null,
    ...more,
  },
});

/** A reply in the discussion that `first` started. */
export function noteAdded(noteId: number, first: Started, more: Partial<Data> = {}): DiscussionEvent {
  const { individualNote: _, position: __, commitId: ___, ...data } = first.data;
  const beginsThread = first.data.individualNote;
  return { type: 'NoteAdded', data: { ...data, noteId, body: `Note ${noteId}`, beginsThread, ...more } };
}

export const noteEdited = (
  noteId: number,
  first: Started,
  changes: { body?: string; confidential?: boolean },
): DiscussionEvent => ({
  type: 'NoteEdited',
  data: { discussionId: first.data.discussionId, ...onIssue, noteId, changes, previous: null },
});

export const noteDeleted = (noteId: number, first: Started, last: boolean): DiscussionEvent => ({
  type: 'NoteDeleted',
  data: {
    ...{ discussionId: first.data.discussionId, ...onIssue, noteId, last },
    confidential: false,
    system: false,
    endsOpenThread: false,
  },
});

/** In the stream of its discussion. */
export const inDiscussion = (event: DiscussionEvent): StreamedEvent =>
  on(`discussion-${event.data.discussionId}`, event);
