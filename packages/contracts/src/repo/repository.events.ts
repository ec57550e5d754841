import { defineEvent, type EventOf } from '@forgelog/eventing/event-catalogue.ts';
import { z } from 'zod';

/**
 * Streams `repository-<project id>`: the refs of a repository. Git's own refs are a projection of these events
 * (decision 4): each moved ref is exactly one event, whether a push or the API moved it.
 */
export const RefUpdated = defineEvent({
  type: 'RefUpdated',
  version: 1,
  service: 'repo',
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
  }),
});

export const repositoryEvents = [RefUpdated] as const;
export type RepositoryEvent = EventOf<(typeof repositoryEvents)[number]>;
