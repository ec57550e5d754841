import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';

/**
 * Streams `repository-<project id>`: the refs of a repository. Git's own refs are a projection of these events
 * (ADR 6): each moved ref is exactly one event, whether a push or the API moved it.
 */
export const RefUpdated = defineEvent({
  type: 'RefUpdated',
  version: 1,
  service: 'repo',
  audit: 'content',
  activity: 'told',
  schema: z.object({
    projectId: z.int(),
    /** Full name, `refs/heads/main`. */
    ref: z.string(),
    /** Object ids; 40 zeros where the ref did not exist before or does not exist after. */
    oldOid: z.string(),
    newOid: z.string(),
    via: z.enum(['push', 'api']),
    /** Commits that came with it (reachable from the new, not from the old), counted up to a bound. */
    commitCount: z.int(),
    /** Title of the newest commit, null for a deletion. */
    commitTitle: z.string().nullable(),
    /** What the pusher said with `git push -o`. */
    pushOptions: z.array(z.string()).default([]),
  }),
});

/** Streams `repositoryStatistics-<project id>`: what a repository was found to hold after its refs moved. */
export const RepositoryMeasured = defineEvent({
  type: 'RepositoryMeasured',
  version: 1,
  service: 'repo',
  audit: 'system',
  activity: 'system',
  schema: z.object({
    projectId: z.int(),
    /** Bytes on disk. */
    repositorySize: z.int(),
    /** Commits of the default branch, counted up to a bound. */
    commitCount: z.int(),
    /** Path of the README at the top of the default branch, null where there is none. */
    readmePath: z.string().nullable(),
  }),
});

export const repositoryEvents = [RefUpdated, RepositoryMeasured] as const;
export type RepositoryEvent = EventOf<(typeof repositoryEvents)[number]>;
