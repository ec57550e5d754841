import { z } from 'zod';
import { CI_STATUSES } from '../pipelines/pipeline-statuses.ts';
import { FAILURE_REASONS, JOB_KINDS, JOB_WHEN } from './job.fields.ts';

/** A job, for what other services tell of it. */
export const describedJob = z.strictObject({
  id: z.int(),
  projectId: z.int(),
  pipelineId: z.int(),
  name: z.string(),
  stage: z.string(),
  kind: z.enum(JOB_KINDS),
  when: z.enum(JOB_WHEN),
  status: z.enum(CI_STATUSES),
  allowFailure: z.boolean(),
  userId: z.int().nullable(),
  failureReason: z.enum(FAILURE_REASONS).nullable(),
  createdAt: z.string(),
  queuedAt: z.string().nullable(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  environment: z.strictObject({ name: z.string(), action: z.string() }).nullable(),
  runner: z
    .strictObject({
      id: z.int(),
      description: z.string(),
      runnerType: z.string(),
      active: z.boolean(),
      tags: z.array(z.string()),
    })
    .nullable(),
  archive: z.strictObject({ filename: z.string(), size: z.int() }).nullable(),
});
export type DescribedJob = z.output<typeof describedJob>;
