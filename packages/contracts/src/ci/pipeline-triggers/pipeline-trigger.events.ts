import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './pipeline-trigger.events.examples.json' with { type: 'json' };

const ids = { pipelineTriggerId: z.int().describe('Id of the trigger.'), projectId };
const description = personal(z.string().describe('What the trigger is for.'));

const common = {
  subject: 'pipelineTrigger-<pipelineTriggerId>',
  service: 'ci',
  audit: privileged('Project', 'PipelineTrigger'),
  activity: 'unnamed',
} as const;

export const PipelineTriggerCreated = defineEvent({
  ...common,
  type: 'PipelineTriggerCreated',
  version: 1,
  description: 'A project got a trigger, whose token starts pipelines; the token is never published.',
  example: examples.PipelineTriggerCreated,
  withheld: ['tokenSha256', 'sealedToken', 'shortToken'],
  schema: z.object({
    ...ids,
    ownerId: z.int().describe('Id of the user as whom its pipelines run.'),
    description,
    tokenSha256: z.string().describe('SHA-256 of the token, in hexadecimal; never published.'),
    sealedToken: z.string().describe('The token, which only the instance can open; never published.'),
    shortToken: z.string().describe('First four characters of the token; never published.'),
  }),
});

export const PipelineTriggerUpdated = defineEvent({
  ...common,
  type: 'PipelineTriggerUpdated',
  version: 1,
  description: 'The description of a trigger changed.',
  example: examples.PipelineTriggerUpdated,
  schema: z.object({ ...ids, ...changed({ description }) }),
});

export const PipelineTriggerUsed = defineEvent({
  ...common,
  type: 'PipelineTriggerUsed',
  version: 1,
  description: 'The token of a trigger started a pipeline.',
  example: examples.PipelineTriggerUsed,
  audit: 'system',
  activity: 'system',
  schema: z.object({
    ...ids,
    pipelineId: z.int().describe('Id of the pipeline.'),
    ...changed({
      lastUsedAt: z.string().nullable().describe('When it was used last, in ISO 8601 and UTC; null before.'),
    }),
  }),
});

export const PipelineTriggerDeleted = defineEvent({
  ...common,
  type: 'PipelineTriggerDeleted',
  version: 1,
  description: 'A trigger was deleted: its token starts nothing from this event on.',
  example: examples.PipelineTriggerDeleted,
  schema: z.object(ids),
});

export const pipelineTriggerEvents = [
  PipelineTriggerCreated,
  PipelineTriggerUpdated,
  PipelineTriggerUsed,
  PipelineTriggerDeleted,
] as const;
export type PipelineTriggerEvent = EventOf<(typeof pipelineTriggerEvents)[number]>;
