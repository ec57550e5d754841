import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import examples from './snippet.events.examples.json' with { type: 'json' };

const ids = {
  snippetId: z.int().describe('Id of the snippet.'),
  projectId: z.int().nullable().describe('Id of the project whose snippet it is; null for a personal one.'),
  authorId: z.int().describe('Id of the author, whose snippet a personal one is.'),
};
const attributes = {
  title: personal(z.string().describe('The title.')),
  description: personal(z.string().nullable().describe('What it shows, in Markdown; null if not given.')),
  visibility: z
    .enum(['private', 'internal', 'public'])
    .describe(
      'Who sees it: its author or members of its project, all users but external ones, or everybody.',
    ),
};
const path = personal(z.string().describe('Path of the file.'));
const author = z
  .object({
    name: personal(z.string().describe('Name of who wrote it, as their commit has it.')),
    email: personal(z.string().describe('Address of who wrote it, as their commit has it.')),
  })
  .nullable()
  .describe('Author of the commit that this change is for git; null where the commit says it itself.');

const common = {
  version: 1,
  subject: 'snippet-<snippetId>',
  service: 'repo',
  audit: 'content',
  activity: 'unnamed',
} as const;

export const SnippetCreated = defineEvent({
  ...common,
  type: 'SnippetCreated',
  version: 2,
  description: 'A snippet was created: files of a person or of a project, to show around.',
  example: examples.SnippetCreated,
  schema: z.object({
    ...ids,
    ...attributes,
    files: z
      .array(z.object({ path, content: personal(z.string().describe('Text of the file.')) }))
      .describe('Its files, at least one.'),
    author,
  }),
  upcast: { 1: (data) => ({ ...data, author: null }) },
});

export const SnippetUpdated = defineEvent({
  ...common,
  type: 'SnippetUpdated',
  description: 'Title, description or visibility of a snippet changed.',
  example: examples.SnippetUpdated,
  schema: z.object({ ...ids, ...changed(attributes) }),
});

/** What was there before is in the events before it: it is not told twice. */
export const SnippetFilesCommitted = defineEvent({
  ...common,
  type: 'SnippetFilesCommitted',
  version: 2,
  description: 'Files of a snippet were written, moved or removed, all at once.',
  example: examples.SnippetFilesCommitted,
  schema: z.object({
    ...ids,
    files: z
      .array(
        z.object({
          action: z.enum(['create', 'update', 'delete', 'move']).describe('What was done with the file.'),
          path,
          previousPath: personal(
            z.string().nullable().describe('Of a move: where the file was; null for anything else.'),
          ),
          content: personal(
            z.string().nullable().describe('Text of the file from now on; null where it stays or ends.'),
          ),
        }),
      )
      .describe('The changes, in their order.'),
    author,
    pushed: personal(
      z
        .string()
        .nullable()
        .describe('The commit that was pushed, as git has it; null for a change by a call of the API.'),
    ),
  }),
  upcast: { 1: (data) => ({ ...data, author: null, pushed: null }) },
});

export const SnippetDeleted = defineEvent({
  ...common,
  type: 'SnippetDeleted',
  description: 'A snippet was deleted, with its discussions.',
  example: examples.SnippetDeleted,
  activity: 'removal',
  schema: z.object(ids),
});

export const snippetEvents = [SnippetCreated, SnippetUpdated, SnippetFilesCommitted, SnippetDeleted] as const;
export type SnippetEvent = EventOf<(typeof snippetEvents)[number]>;
