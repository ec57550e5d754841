import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { changed } from '../../shared/changes.ts';
import examples from './storage-move.events.examples.json' with { type: 'json' };

/** As clients know them, in the order in which a move goes through them; the last two end it otherwise. */
export const STORAGE_MOVE_STATES = [
  'initial',
  'scheduled',
  'started',
  'replicated',
  'finished',
  'failed',
  'cleanup_failed',
] as const;
export type StorageMoveState = (typeof STORAGE_MOVE_STATES)[number];

const kind = z.enum(['project', 'snippet', 'group']).describe('What is moved.');
const source = z.string().describe('Name of the storage that it is moved from.');

/** What a move belongs to. */
const subject = {
  moveId: z.int().describe('Id of the move.'),
  kind,
  projectId: z
    .int()
    .nullable()
    .describe('Id of the project, or of that of the snippet; null for a personal snippet and for a group.'),
  snippetId: z.int().nullable().describe('Id of the snippet; null unless one is moved.'),
  authorId: z.int().nullable().describe('Id of the author of the snippet; null unless one is moved.'),
  groupId: z.int().nullable().describe('Id of the group; null unless one is moved.'),
};

const common = { version: 1, service: 'repo', audit: 'system', activity: 'system' } as const;
const streams = [
  'projectStorageMoves-<projectId>',
  'snippetStorageMoves-<snippetId>',
  'groupStorageMoves-<groupId>',
];

export const StorageMoveScheduled = defineEvent({
  ...common,
  type: 'StorageMoveScheduled',
  description: 'What a project, snippet or group has on a storage is to be moved to another.',
  subject: streams,
  example: examples.StorageMoveScheduled,
  schema: z.object({
    ...subject,
    source,
    destination: z.string().describe('Name of the storage that it is moved to.'),
    state: z.literal('scheduled').describe('Always `scheduled`.'),
  }),
});

export const StorageMoveAdvanced = defineEvent({
  ...common,
  type: 'StorageMoveAdvanced',
  description: 'A move to another storage reached its next state, or its end.',
  subject: streams,
  example: examples.StorageMoveAdvanced,
  schema: z.object({
    ...subject,
    ...changed({
      state: z.enum(STORAGE_MOVE_STATES).describe('How far it is; the last one stays.'),
      errorMessage: z.string().nullable().describe('Why it failed; null unless it did.'),
    }),
  }),
});

export const StorageMovesRequested = defineEvent({
  ...common,
  type: 'StorageMovesRequested',
  description: 'An administrator had a storage emptied of what it holds of one kind.',
  subject: 'storageMoves-<requestId>',
  example: examples.StorageMovesRequested,
  schema: z.object({
    requestId: z.string().describe('Id of the request.'),
    kind,
    source,
    destination: z
      .string()
      .nullable()
      .describe('Name of the storage that all are moved to; null for one of the others each.'),
  }),
});

export const storageMoveEvents = [StorageMoveScheduled, StorageMoveAdvanced] as const;
export type StorageMoveEvent = EventOf<(typeof storageMoveEvents)[number]>;
export type StorageMovesRequestedEvent = EventOf<typeof StorageMovesRequested>;
