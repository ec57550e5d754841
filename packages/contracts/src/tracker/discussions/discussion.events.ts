import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { targetTypes } from '../targets/target.ts';

/** Streams `discussion-<40 hexadecimal digits>`: a thread of notes on a target. */
const noteable = {
  projectId: z.int(),
  noteableType: z.enum(targetTypes),
  /** Global id of the target, and its number within the project. */
  noteableId: z.int(),
  noteableIid: z.int(),
};

const note = {
  noteId: z.int(),
  authorId: z.int(),
  body: z.string(),
  /** ISO 8601 in UTC if the author set the time [L350], else null. */
  createdAt: z.string().nullable(),
  /** Only for readers of confidential notes. */
  confidential: z.boolean(),
  /** Written by the system about a change of the target; not counted as a comment. */
  system: z.boolean(),
};

const discussion = { discussionId: z.string().regex(/^[0-9a-f]{40}$/), ...noteable };

export const DiscussionStarted = defineEvent({
  type: 'DiscussionStarted',
  version: 1,
  service: 'tracker',
  audit: 'content',
  activity: 'told',
  schema: z.object({
    ...discussion,
    /** A single note; a reply turns it into a thread. */
    individualNote: z.boolean(),
    ...note,
  }),
  personalData: ['body'],
});

export const NoteAdded = defineEvent({
  type: 'NoteAdded',
  version: 1,
  service: 'tracker',
  audit: 'content',
  activity: 'told',
  schema: z.object({ ...discussion, ...note }),
  personalData: ['body'],
});

export const NoteEdited = defineEvent({
  type: 'NoteEdited',
  version: 1,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...discussion,
    noteId: z.int(),
    changes: z.object({ body: z.string(), confidential: z.boolean() }).partial(),
  }),
  personalData: ['changes.body'],
});

/** The last note takes its discussion along. */
export const NoteDeleted = defineEvent({
  type: 'NoteDeleted',
  version: 1,
  service: 'tracker',
  audit: 'content',
  activity: 'removal',
  schema: z.object({
    ...discussion,
    noteId: z.int(),
    confidential: z.boolean(),
    system: z.boolean(),
    last: z.boolean(),
  }),
});

export const discussionEvents = [DiscussionStarted, NoteAdded, NoteEdited, NoteDeleted] as const;
export type DiscussionEvent = EventOf<(typeof discussionEvents)[number]>;
