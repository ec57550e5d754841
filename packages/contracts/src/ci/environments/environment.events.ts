import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { alwaysChanged, changed, previousUnknown } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './environment.events.examples.json' with { type: 'json' };

/** All environments of a project are one stream, because names and slugs are unique in it. */
const environment = { environmentId: z.int().describe('Id of the environment.'), projectId };
const attributes = {
  name: personal(z.string().describe('Name, unique in the project; a folder is a part before `/`.')),
  externalUrl: personal(
    z.string().nullable().describe('Where people find what is deployed; null if not given.'),
  ),
};

export const ENVIRONMENT_STOPPED = {
  changes: { state: 'stopped' },
  previous: { state: 'available' },
} as const;

export const EnvironmentCreated = defineEvent({
  type: 'EnvironmentCreated',
  version: 1,
  description: 'An environment, where a project is deployed to, was created.',
  subject: 'environments-<projectId>',
  example: examples.EnvironmentCreated,
  service: 'ci',
  audit: privileged('Project', 'Environment'),
  activity: 'unnamed',
  schema: z.object({
    ...environment,
    ...attributes,
    slug: personal(
      z.string().describe('Name for URLs and labels: lower-case letters, digits and `-`; a rename keeps it.'),
    ),
  }),
});

export const EnvironmentUpdated = defineEvent({
  type: 'EnvironmentUpdated',
  version: 2,
  description: 'Attributes of an environment changed.',
  subject: 'environments-<projectId>',
  example: examples.EnvironmentUpdated,
  service: 'ci',
  audit: privileged('Project', 'Environment'),
  activity: 'unnamed',
  schema: z.object({
    ...environment,
    ...changed(attributes),
  }),
  upcast: { 1: previousUnknown },
});

export const EnvironmentDeployed = defineEvent({
  type: 'EnvironmentDeployed',
  version: 1,
  description: 'A deployment to an environment succeeded and changed it.',
  subject: 'environments-<projectId>',
  example: examples.EnvironmentDeployed,
  service: 'ci',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...environment,
    deploymentId: z.int().describe('Id of the deployment.'),
    ...changed({
      state: z.enum(['available', 'stopped']).describe('A stopped environment is available again.'),
      externalUrl: attributes.externalUrl,
      deletionDueAt: z
        .string()
        .nullable()
        .describe('When it is due for deletion; null, because a deployed environment stays.'),
      autoStopAt: z
        .string()
        .nullable()
        .describe('When it is stopped by itself, in ISO 8601 and UTC; null for never.'),
      stopPipelineIid: z
        .int()
        .nullable()
        .describe('Number of the pipeline with the job that stops it; null without one.'),
      stopJob: personal(z.string().nullable().describe('Name of the job that stops it; null for none.')),
    }),
  }),
});

export const EnvironmentStopped = defineEvent({
  type: 'EnvironmentStopped',
  version: 2,
  description: 'An environment was stopped: nothing is deployed to it any more.',
  subject: 'environments-<projectId>',
  example: examples.EnvironmentStopped,
  service: 'ci',
  audit: privileged('Project', 'Environment'),
  activity: 'unnamed',
  schema: z.object({ ...environment, ...alwaysChanged(ENVIRONMENT_STOPPED) }),
  upcast: { 1: (data) => ({ ...data, ...ENVIRONMENT_STOPPED }) },
});

export const EnvironmentDeletionScheduled = defineEvent({
  type: 'EnvironmentDeletionScheduled',
  version: 2,
  description: 'A stopped environment is due for deletion.',
  subject: 'environments-<projectId>',
  example: examples.EnvironmentDeletionScheduled,
  service: 'ci',
  audit: privileged('Project', 'Environment'),
  activity: 'unnamed',
  schema: z.object({
    ...environment,
    dueAt: z.string().describe('When it is deleted, in ISO 8601 and UTC.'),
    ...changed({
      deletionDueAt: z
        .string()
        .nullable()
        .describe('When the environment is due for deletion; null if it is not.'),
    }),
  }),
  upcast: {
    // Only an environment without a date was given one.
    1: (data) => ({
      ...data,
      changes: { deletionDueAt: data.dueAt },
      previous: { deletionDueAt: null },
    }),
  },
});

export const EnvironmentDeleted = defineEvent({
  type: 'EnvironmentDeleted',
  version: 1,
  description: 'An environment was deleted.',
  subject: 'environments-<projectId>',
  example: examples.EnvironmentDeleted,
  service: 'ci',
  audit: privileged('Project', 'Environment'),
  activity: 'unnamed',
  schema: z.object(environment),
});

export const environmentEvents = [
  EnvironmentCreated,
  EnvironmentUpdated,
  EnvironmentDeployed,
  EnvironmentStopped,
  EnvironmentDeletionScheduled,
  EnvironmentDeleted,
] as const;
export type EnvironmentEvent = EventOf<(typeof environmentEvents)[number]>;
