import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './repository.events.examples.json' with { type: 'json' };

/** Git's own refs are a projection of these events (ADR 6). */
export const RefUpdated = defineEvent({
  type: 'RefUpdated',
  version: 1,
  description:
    'A ref of a repository, a branch or a tag, was created, moved or deleted, by a push or by the API.',
  subject: 'repository-<projectId>',
  example: examples.RefUpdated,
  service: 'repo',
  audit: 'content',
  activity: 'told',
  schema: z.object({
    projectId,
    ref: z.string().describe('Full name of the ref: `refs/heads/main`.'),
    oldOid: z.string().describe('Object id before; 40 zeros for a creation.'),
    newOid: z.string().describe('Object id after; 40 zeros for a deletion.'),
    via: z.enum(['push', 'api']).describe('Whether git pushed it or a request of the API changed it.'),
    commitCount: z
      .int()
      .describe(
        'Number of new commits, reachable from the new object and not from the old one, up to a limit.',
      ),
    commitTitle: z.string().nullable().describe('Title of the newest commit; null for a deletion.'),
    pushOptions: z.array(z.string()).default([]).describe('Options of `git push -o`.'),
  }),
});

export const RepositoryMeasured = defineEvent({
  type: 'RepositoryMeasured',
  version: 1,
  description: 'A repository was measured after its refs moved.',
  subject: 'repositoryStatistics-<projectId>',
  example: examples.RepositoryMeasured,
  service: 'repo',
  audit: 'system',
  activity: 'system',
  schema: z.object({
    projectId,
    repositorySize: z.int().describe('Size of the repository in bytes.'),
    commitCount: z.int().describe('Number of commits of the default branch, up to a limit.'),
    readmePath: z
      .string()
      .nullable()
      .describe('Path of the README at the root of the default branch; null if there is none.'),
  }),
});

export const repositoryEvents = [RefUpdated, RepositoryMeasured] as const;
export type RepositoryEvent = EventOf<(typeof repositoryEvents)[number]>;
