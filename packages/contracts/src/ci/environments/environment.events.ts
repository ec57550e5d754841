import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';

/** Streams `environments-<project id>`: all environments of a project, because names and slugs are unique in it. */
const environment = { environmentId: z.int(), projectId: z.int() };

export const EnvironmentCreated = defineEvent({
  type: 'EnvironmentCreated',
  version: 1,
  service: 'ci',
  audit: privileged('Project', 'Environment'),
  activity: 'unnamed',
  schema: z.object({
    ...environment,
    name: z.string(),
    /** For URLs and labels: lower-case letters, digits and `-`. A rename keeps it. */
    slug: z.string(),
    externalUrl: z.string().nullable(),
  }),
});

export const EnvironmentUpdated = defineEvent({
  type: 'EnvironmentUpdated',
  version: 1,
  service: 'ci',
  audit: privileged('Project', 'Environment'),
  activity: 'unnamed',
  schema: z.object({
    ...environment,
    changes: z.object({ name: z.string(), externalUrl: z.string().nullable() }).partial(),
  }),
});

export const EnvironmentStopped = defineEvent({
  type: 'EnvironmentStopped',
  version: 1,
  service: 'ci',
  audit: privileged('Project', 'Environment'),
  activity: 'unnamed',
  schema: z.object(environment),
});

export const EnvironmentDeletionScheduled = defineEvent({
  type: 'EnvironmentDeletionScheduled',
  version: 1,
  service: 'ci',
  audit: privileged('Project', 'Environment'),
  activity: 'unnamed',
  schema: z.object({
    ...environment,
    /** ISO 8601 in UTC; the environment is deleted from then on. */
    dueAt: z.string(),
  }),
});

export const EnvironmentDeleted = defineEvent({
  type: 'EnvironmentDeleted',
  version: 1,
  service: 'ci',
  audit: privileged('Project', 'Environment'),
  activity: 'unnamed',
  schema: z.object(environment),
});

export const environmentEvents = [
  EnvironmentCreated,
  EnvironmentUpdated,
  EnvironmentStopped,
  EnvironmentDeletionScheduled,
  EnvironmentDeleted,
] as const;
export type EnvironmentEvent = EventOf<(typeof environmentEvents)[number]>;
