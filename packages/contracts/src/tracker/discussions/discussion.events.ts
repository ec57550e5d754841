import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { alwaysChanged, changed, previousUnknown } from '../../shared/changes.ts';
import { discussedTypes } from '../targets/target.ts';
import examples from './discussion.events.examples.json' with { type: 'json' };
import { position } from './position.fields.ts';

const noteable = {
  projectId: z.int().nullable().describe('Id of the project; null for an epic, which is in a group.'),
  groupId: z.int().nullable().describe('Id of the group that the epic is in; null for anything else.'),
  noteableType: z.enum(discussedTypes).describe('Kind of what is discussed.'),
  noteableId: z
    .int()
    .nullable()
    .describe('Id of what is discussed, unique on the instance; null for a commit.'),
  noteableIid: z
    .int()
    .nullable()
    .describe('Number of what is discussed, unique in its project or group; null for a commit or a snippet.'),
  noteableSha: z.string().nullable().describe('Id of the commit that is discussed; null for anything else.'),
};

type Noteable = z.output<z.ZodObject<typeof noteable>>;
const withoutSha = <Data extends object>(data: Data) => ({ ...data, noteableSha: null });
const inNoGroup = <Data extends object>(data: Data) => ({ ...data, groupId: null });

type InProject = Omit<Noteable, 'groupId'>;
const NO_ISSUE = { noteableType: 'Issue', noteableId: 0, noteableIid: 0 };

/** Consumers of before see a discussion of a commit as that of an issue that nobody has, number 0. */
const onNoIssue = <Data extends InProject>({ noteableSha, ...data }: Data) =>
  noteableSha === null ? data : { ...data, ...NO_ISSUE };
/** And one of an epic as that of such an issue, in a project that is not there. */
const inNoProject = <Data extends Noteable>({ groupId, ...data }: Data) =>
  groupId === null ? data : { ...data, ...NO_ISSUE, projectId: 0 };

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
  version: 4,
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
    position,
    commitId: z
      .string()
      .nullable()
      .describe('Id of the commit that it is about, of those of a merge request; null for none.'),
  }),
  upcast: { 1: (data) => ({ ...data, position: null, commitId: null }), 2: withoutSha, 3: inNoGroup },
  downcast: { 3: onNoIssue, 4: inNoProject },
});

export const NoteAdded = defineEvent({
  type: 'NoteAdded',
  version: 4,
  description: 'A note was added to a discussion.',
  subject: 'discussion-<discussionId>',
  example: examples.NoteAdded,
  service: 'tracker',
  audit: 'content',
  activity: 'told',
  schema: z.object({
    ...discussion,
    ...note,
    beginsThread: z.boolean().describe('Whether it makes a thread of a single note.'),
  }),
  // Threads count where they are resolved, on merge requests, and older than those is only version 2.
  upcast: { 1: (data) => ({ ...data, beginsThread: false }), 2: withoutSha, 3: inNoGroup },
  downcast: { 3: onNoIssue, 4: inNoProject },
});

export const NoteEdited = defineEvent({
  type: 'NoteEdited',
  version: 4,
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
  upcast: { 1: previousUnknown, 2: withoutSha, 3: inNoGroup },
  downcast: { 3: onNoIssue, 4: inNoProject },
});

export const NoteDeleted = defineEvent({
  type: 'NoteDeleted',
  version: 4,
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
    endsOpenThread: z.boolean().describe('Whether an unresolved thread ended with it.'),
  }),
  upcast: { 1: (data) => ({ ...data, endsOpenThread: false }), 2: withoutSha, 3: inNoGroup },
  downcast: { 3: onNoIssue, 4: inNoProject },
});

export const THREAD_RESOLVED = { changes: { resolved: true }, previous: { resolved: false } } as const;
export const THREAD_UNRESOLVED = { changes: { resolved: false }, previous: { resolved: true } } as const;

/** A thread is resolved as a whole, through whichever of its notes. */
export const DiscussionResolved = defineEvent({
  type: 'DiscussionResolved',
  version: 3,
  description: 'A thread on a merge request was resolved; replies to it are resolved from the start.',
  subject: 'discussion-<discussionId>',
  example: examples.DiscussionResolved,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...discussion,
    resolvedById: z.int().describe('Id of the user who resolved it.'),
    ...alwaysChanged(THREAD_RESOLVED),
  }),
  upcast: { 1: withoutSha, 2: inNoGroup },
  downcast: { 2: onNoIssue, 3: inNoProject },
});

export const DiscussionUnresolved = defineEvent({
  type: 'DiscussionUnresolved',
  version: 3,
  description: 'A resolved thread was opened again.',
  subject: 'discussion-<discussionId>',
  example: examples.DiscussionUnresolved,
  service: 'tracker',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({ ...discussion, ...alwaysChanged(THREAD_UNRESOLVED) }),
  upcast: { 1: withoutSha, 2: inNoGroup },
  downcast: { 2: onNoIssue, 3: inNoProject },
});

export const discussionEvents = [
  DiscussionStarted,
  NoteAdded,
  NoteEdited,
  NoteDeleted,
  DiscussionResolved,
  DiscussionUnresolved,
] as const;
export type DiscussionEvent = EventOf<(typeof discussionEvents)[number]>;
