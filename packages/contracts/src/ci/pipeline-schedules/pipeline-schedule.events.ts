import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed, changedWithheld } from '../../shared/changes.ts';
import { projectId, userId } from '../../shared/event.fields.ts';
import examples from './pipeline-schedule.events.examples.json' with { type: 'json' };

const ids = { pipelineScheduleId: z.int().describe('Id of the pipeline schedule.'), projectId };
const ownerId = z.int().describe('Id of the user as whom its pipelines run.');
const nextRunAt = z
  .string()
  .nullable()
  .describe('When it is due next, in ISO 8601 and UTC; null if its expression means no time.');
const attributes = {
  ownerId,
  description: personal(z.string().describe('What its pipelines are for.')),
  ref: personal(z.string().describe('Branch or tag for which they run.')),
  cron: z.string().describe('When they run, as a cron expression.'),
  cronTimezone: z.string().describe('Time zone of the expression.'),
  active: z.boolean().describe('Whether it runs.'),
  nextRunAt,
};
const sealedVariables = z
  .array(
    z.object({
      key: z.string().describe('Name.'),
      variableType: z.enum(['env_var', 'file']).describe('How jobs get it.'),
      value: z.string().describe('The value, sealed.'),
    }),
  )
  .describe('All its variables, each key once; never published.');

const common = {
  subject: 'pipelineSchedule-<pipelineScheduleId>',
  service: 'ci',
  audit: privileged('Project', 'PipelineSchedule'),
  activity: 'unnamed',
} as const;

export const PipelineScheduleCreated = defineEvent({
  ...common,
  type: 'PipelineScheduleCreated',
  version: 1,
  description: 'A project got a schedule by which pipelines run.',
  example: examples.PipelineScheduleCreated,
  schema: z.object({ ...ids, ...attributes }),
});

export const PipelineScheduleUpdated = defineEvent({
  ...common,
  type: 'PipelineScheduleUpdated',
  version: 1,
  description:
    'A pipeline schedule changed, its owner or its variables; values of these are never published.',
  example: examples.PipelineScheduleUpdated,
  withheld: ['sealedVariables'],
  schema: z.object({ ...ids, ...changedWithheld(attributes, { sealedVariables }, ['variables']) }),
});

export const PipelineScheduleRan = defineEvent({
  ...common,
  type: 'PipelineScheduleRan',
  version: 1,
  description: 'A pipeline schedule was due or somebody played it; the pipeline that it causes follows.',
  example: examples.PipelineScheduleRan,
  audit: 'system',
  activity: 'system',
  schema: z.object({
    ...ids,
    userId: userId.describe('Id of the user as whom the pipeline runs.'),
    dueAt: z
      .string()
      .nullable()
      .describe('When it was due, in ISO 8601 and UTC; null if somebody played it.'),
    ...changed({ nextRunAt }),
  }),
});

export const PipelineScheduleDeleted = defineEvent({
  ...common,
  type: 'PipelineScheduleDeleted',
  version: 1,
  description: 'A pipeline schedule was deleted.',
  example: examples.PipelineScheduleDeleted,
  schema: z.object(ids),
});

export const pipelineScheduleEvents = [
  PipelineScheduleCreated,
  PipelineScheduleUpdated,
  PipelineScheduleRan,
  PipelineScheduleDeleted,
] as const;
export type PipelineScheduleEvent = EventOf<(typeof pipelineScheduleEvents)[number]>;
