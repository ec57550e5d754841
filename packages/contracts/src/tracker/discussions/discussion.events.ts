import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed, previousUnknown } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import { targetTypes } from '../targets/target.ts';
import examples from './discussion.events.examples.json' with { type: 'json' };

const noteable = {
  projectId,
  noteableType: z.enum(targetTypes).describe('Kind of what is discussed.'),
  noteableId: z.int().describe('Id of what is discussed, unique on the instance.'),
  noteableIid: z.int().describe('Number of what is discussed, unique in the project.'),
};

const noteId = z.int().describe('Id of the note.');
const body = personal(z.string().describe('The text, in Markdown.'));
const confidential = z.boolean().describe('Whether only readers of confidential notes may see it.');
const system = z.boolean().describe('Whether the system wrote it about a change; such a note is no comment.');

const note = {
  noteId,
  authorId: z.int().describe('Id of the author.'),
  body,
  /** Settable [L350]. */
  createdAt: z
    .string()
    .nullable()
    .describe(
      'When it was written, in ISO 8601 and UTC, if the author set it; null: the time of the event counts.',
    ),
  confidential,
  system,
};

const discussion = {
  discussionId: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .describe('Id of the discussion: 40 hexadecimal digits.'),
  ...noteable,
};

export const DiscussionStarted = defineEvent({
  type: 'DiscussionStarted',
  version: 1,
  description: 'A discussion was started, with its first note.',
  subject: 'discussion-<discussionId>',
  example: examples.DiscussionStarted,
  service: 'tracker',
  audit: 'content',
  activity: 'told',
  schema: z.object({
    ...discussion,
    individualNote: z.boolean().describe('Whether it is a single note, which a reply turns into a thread.'),
    ...note,
  }),
});

export const NoteAdded = defineEvent({
  type: 'NoteAdded',
  version: 1,
  description: 'A note was added to a discussion.',
  subject: 'discussion-<discussionId>',
  example: examples.NoteAdded,
  service: 'tracker',
  audit: 'content',
  activity: 'told',
  schema: z.object({ ...discussion, ...note }),
});

export const NoteEdited = defineEvent({
  type: 'NoteEdited',
  version: 2,
  description: 'A note was edited.',
  subject: 'discussion-<discussionId>',
  example: examples.NoteEdited,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...discussion,
    noteId,
    ...changed({ body, confidential }),
  }),
  upcast: { 1: previousUnknown },
});

export const NoteDeleted = defineEvent({
  type: 'NoteDeleted',
  version: 1,
  description: 'A note was deleted; the last one takes its discussion along.',
  subject: 'discussion-<discussionId>',
  example: examples.NoteDeleted,
  service: 'tracker',
  audit: 'content',
  activity: 'removal',
  schema: z.object({
    ...discussion,
    noteId,
    confidential,
    system,
    last: z.boolean().describe('Whether it was the last note of the discussion.'),
  }),
});

export const discussionEvents = [DiscussionStarted, NoteAdded, NoteEdited, NoteDeleted] as const;
export type DiscussionEvent = EventOf<(typeof discussionEvents)[number]>;
