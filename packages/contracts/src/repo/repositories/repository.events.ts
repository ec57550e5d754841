import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';

/**
 * Streams `repository-<project id>`: the refs of a repository. Git's own refs are a projection of these events (ADR
 * 6). Each ref update is one event, from a push or from the API.
 */
export const RefUpdated = defineEvent({
  type: 'RefUpdated',
  version: 1,
  service: 'repo',
  audit: 'content',
  activity: 'told',
  schema: z.object({
    projectId: z.int(),
    /** Full name: `refs/heads/main`. */
    ref: z.string(),
    /** Object ids; 40 zeros before a creation or after a deletion. */
    oldOid: z.string(),
    newOid: z.string(),
    via: z.enum(['push', 'api']),
    /** Number of new commits (reachable from the new id, not from the old), up to a limit. */
    commitCount: z.int(),
    /** Title of the newest commit, null for a deletion. */
    commitTitle: z.string().nullable(),
    /** The options of `git push -o`. */
    pushOptions: z.array(z.string()).default([]),
  }),
});

/** Streams `repositoryStatistics-<project id>`: measurements of a repository after its refs moved. */
export const RepositoryMeasured = defineEvent({
  type: 'RepositoryMeasured',
  version: 1,
  service: 'repo',
  audit: 'system',
  activity: 'system',
  schema: z.object({
    projectId: z.int(),
    /** In bytes. */
    repositorySize: z.int(),
    /** Commits of the default branch, up to a limit. */
    commitCount: z.int(),
    /** Path of the README at the root of the default branch. */
    readmePath: z.string().nullable(),
  }),
});

export const repositoryEvents = [RefUpdated, RepositoryMeasured] as const;
export type RepositoryEvent = EventOf<(typeof repositoryEvents)[number]>;
