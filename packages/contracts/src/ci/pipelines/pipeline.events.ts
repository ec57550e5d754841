import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import examples from './pipeline.events.examples.json' with { type: 'json' };
import { PIPELINE_SUBJECT, pipelineFields, sealedVariables, time, timeOrNull } from './pipeline.fields.ts';
import { CI_STATUSES, PIPELINE_SOURCES } from './pipeline-statuses.ts';

export const PipelineCreated = defineEvent({
  type: 'PipelineCreated',
  version: 1,
  description: 'A pipeline was created; its jobs follow, each with an event of its own.',
  subject: PIPELINE_SUBJECT,
  example: examples.PipelineCreated,
  service: 'ci',
  audit: 'content',
  activity: 'unnamed',
  withheld: ['sealedVariables'],
  schema: z.object({
    ...pipelineFields,
    ref: personal(
      z.string().describe('Branch or tag by its short name, or the full ref of a merge request.'),
    ),
    refKind: z.enum(['branch', 'tag', 'merge_request']).describe('What the ref is.'),
    sha: z.string().describe('Id of the commit.'),
    beforeSha: z.string().nullable().describe('Id of the commit before a push; null if there is none.'),
    source: z.enum(PIPELINE_SOURCES).describe('What caused the pipeline.'),
    userId: z.int().nullable().describe('Id of the user with whose rights it runs; null for nobody.'),
    isProtected: z.boolean().describe('Whether the ref was protected when the pipeline was created.'),
    configPath: personal(z.string().describe('Path of the configuration in the repository.')),
    yamlErrors: personal(
      z.string().nullable().describe('What is wrong with the configuration; null for a valid one.'),
    ),
    stages: personal(z.array(z.string()).describe('Names of the stages with jobs, in order.')),
    sealedVariables,
    definitions: z
      .string()
      .nullable()
      .describe('SHA-256 of the object with the definitions of its jobs; null if there are none.'),
    parent: z
      .object({
        projectId: z.int().describe('Id of the project of the pipeline that started this one.'),
        pipelineId: z.int().describe('Id of the pipeline that started this one.'),
        jobId: z.int().describe('Id of the job that started this one.'),
      })
      .nullable()
      .describe('The job of another pipeline that started this one; null for none.'),
    causeId: z
      .string()
      .nullable()
      .describe('Id of the event that caused the pipeline, such as a push; null if a person asked for it.'),
    createdAt: time('it was created'),
  }),
});

export const PipelineStatusChanged = defineEvent({
  type: 'PipelineStatusChanged',
  version: 1,
  description: 'The status of a pipeline changed with the statuses of its jobs.',
  subject: PIPELINE_SUBJECT,
  example: examples.PipelineStatusChanged,
  service: 'ci',
  audit: 'system',
  activity: 'system',
  schema: z.object({
    ...pipelineFields,
    ...changed({
      status: z.enum(CI_STATUSES).describe('The status, derived from the newest job of each name.'),
      startedAt: timeOrNull('its first job started', 'before'),
      finishedAt: timeOrNull('it finished', 'while it has not, or after a retry'),
      duration: z
        .int()
        .nullable()
        .describe('Seconds in which at least one job ran; null until it finished for the first time.'),
      queuedDuration: z
        .int()
        .nullable()
        .describe('Seconds between its creation and its first job; null before.'),
      coverage: z
        .number()
        .nullable()
        .describe('Mean coverage of its jobs in percent; null if none told one.'),
    }),
  }),
});

export const PipelineDeleted = defineEvent({
  type: 'PipelineDeleted',
  version: 1,
  description: 'A pipeline was deleted, with its jobs, their logs and their artifacts.',
  subject: PIPELINE_SUBJECT,
  example: examples.PipelineDeleted,
  service: 'ci',
  audit: privileged('Project', 'Pipeline'),
  activity: 'unnamed',
  schema: z.object(pipelineFields),
});

export const pipelineEvents = [PipelineCreated, PipelineStatusChanged, PipelineDeleted] as const;
export type PipelineEvent = EventOf<(typeof pipelineEvents)[number]>;
