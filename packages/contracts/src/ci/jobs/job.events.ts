import { z } from 'zod';
import { defineEvent, type EventExample, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { alwaysChanged, changed } from '../../shared/changes.ts';
import { userId } from '../../shared/event.fields.ts';
import { jobFields, PIPELINE_SUBJECT, sealedVariables, timeOrNull } from '../pipelines/pipeline.fields.ts';
import { CI_STATUSES } from '../pipelines/pipeline-statuses.ts';
import examples from './job.events.examples.json' with { type: 'json' };
import { FAILURE_REASONS, newJob, queuedAt, scheduledAt } from './job.fields.ts';
import {
  JobArtifactAdded,
  JobArtifactDeleted,
  JobArtifactsKept,
  JobErased,
  JobLogArchived,
} from './job-storage.events.ts';

export const JobCreated = defineEvent({
  type: 'JobCreated',
  version: 1,
  description: 'A job of a pipeline was created. Its first status is part of it.',
  subject: PIPELINE_SUBJECT,
  example: examples.JobCreated,
  service: 'ci',
  audit: 'part',
  activity: 'system',
  schema: newJob,
});

const status = z.enum(CI_STATUSES).describe('The status.');
const startedAt = timeOrNull('a runner started it', 'before');
const finishedAt = timeOrNull('it ended', 'before');
const runnerId = z.int().nullable().describe('Id of the runner; null before.');
const coverage = z.number().nullable().describe('Coverage in percent that its log tells; null for none.');
const failureReason = z.enum(FAILURE_REASONS).nullable().describe('Why it failed; null if it did not.');
const exitCode = z.int().nullable().describe('Exit code of its script; null if not known.');
const allowFailure = z.boolean().describe('Whether the pipeline may pass without it.');

const statusEvent = <const Type extends string, Fields extends z.core.$ZodLooseShape>(
  type: Type,
  description: string,
  fields: Fields,
) =>
  defineEvent({
    type,
    version: 1,
    description,
    subject: PIPELINE_SUBJECT,
    example: (examples as Readonly<Record<string, EventExample>>)[type],
    service: 'ci',
    audit: 'system',
    activity: 'system',
    schema: z.object({ ...jobFields, ...changed({ status, ...fields }) }),
  });

export const JobReset = statusEvent(
  'JobReset',
  'A skipped job waits again, because a job before it is retried or played.',
  {},
);
export const JobWaitsForResource = statusEvent(
  'JobWaitsForResource',
  'A job waits until no other job of its resource group runs.',
  {},
);
export const JobQueued = statusEvent('JobQueued', 'A job is pending: it waits for a runner.', { queuedAt });
export const JobScheduled = statusEvent('JobScheduled', 'A delayed job waits for its time.', { scheduledAt });
export const JobMadeManual = statusEvent('JobMadeManual', 'A manual job waits for somebody to play it.', {});
export const JobSkipped = statusEvent('JobSkipped', 'A job is skipped, because of the jobs before it.', {});
export const JobStarted = statusEvent('JobStarted', 'A runner got a job.', { startedAt, runnerId });
export const JobSucceeded = statusEvent('JobSucceeded', 'A job ended well.', {
  finishedAt,
  coverage,
  exitCode,
});
export const JobFailed = statusEvent('JobFailed', 'A job failed, or the server failed it.', {
  finishedAt,
  coverage,
  failureReason,
  exitCode,
  allowFailure,
});
export const JobReturned = statusEvent(
  'JobReturned',
  'A job is pending again: the runner that got it left before it had the answer.',
  { queuedAt, startedAt, runnerId },
);
export const JobReopened = statusEvent(
  'JobReopened',
  'A job that starts a pipeline runs again, because that pipeline does.',
  { finishedAt, coverage, failureReason, exitCode },
);
export const JobCanceled = statusEvent('JobCanceled', 'A job was canceled.', { finishedAt });

export const JobDescribed = defineEvent({
  type: 'JobDescribed',
  version: 1,
  description: 'The system that runs an external job says what there is to say about it.',
  subject: PIPELINE_SUBJECT,
  example: examples.JobDescribed,
  service: 'ci',
  audit: 'system',
  activity: 'system',
  schema: z.object({
    ...jobFields,
    ...changed({
      targetUrl: personal(z.string().nullable().describe('Address of its page; null for none.')),
      description: personal(z.string().nullable().describe('What the system says; null for nothing.')),
      coverage,
    }),
  }),
});

export const JobPlayed = defineEvent({
  type: 'JobPlayed',
  version: 1,
  description: 'Somebody started a manual job, or a delayed one before its time.',
  subject: PIPELINE_SUBJECT,
  example: examples.JobPlayed,
  service: 'ci',
  audit: 'content',
  activity: 'unnamed',
  withheld: ['sealedVariables'],
  schema: z.object({
    ...jobFields,
    sealedVariables,
    ...changed({
      userId: userId.nullable().describe('Id of the user with whose rights it runs.'),
      playedAt: timeOrNull('it was played', 'before'),
    }),
  }),
});

export const JOB_RETRIED = { changes: { isRetried: true }, previous: { isRetried: false } } as const;

export const JobRetried = defineEvent({
  type: 'JobRetried',
  version: 1,
  description:
    'A job is replaced by a copy of it, which runs instead; the event that creates the copy follows.',
  subject: PIPELINE_SUBJECT,
  example: examples.JobRetried,
  service: 'ci',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...jobFields,
    newJobId: z.int().describe('Id of the copy.'),
    automatic: z.boolean().describe('Whether its configuration asks for it, and not a person.'),
    ...alwaysChanged(JOB_RETRIED),
  }),
});

/** Each has old and new values of the job. */
export const jobChanges = [
  JobReset,
  JobWaitsForResource,
  JobQueued,
  JobScheduled,
  JobMadeManual,
  JobSkipped,
  JobStarted,
  JobSucceeded,
  JobFailed,
  JobCanceled,
  JobReturned,
  JobReopened,
  JobDescribed,
  JobPlayed,
  JobRetried,
  JobArtifactsKept,
  JobLogArchived,
  JobErased,
] as const;

export const jobEvents = [JobCreated, ...jobChanges, JobArtifactAdded, JobArtifactDeleted] as const;
export type JobEvent = EventOf<(typeof jobEvents)[number]>;
