import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { describedRecord } from '../../shared/described-record.ts';
import { describedJob } from '../jobs/described-job.ts';
import { CI_STATUSES, PIPELINE_SOURCES } from './pipeline-statuses.ts';

const facts = z.strictObject({
  id: z.int(),
  iid: z.int(),
  projectId: z.int(),
  status: z.enum(CI_STATUSES),
  ref: z.string(),
  sha: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const findPipelineOfCommit = defineOperation({
  id: 'commit-pipeline-find',
  service: 'ci',
  summary: 'The newest pipeline of a commit that the caller may see',
  effect: 'read',
  request: z.strictObject({ projectId: z.int(), sha: z.string() }),
  answer: z.strictObject({ pipeline: facts.nullable() }),
});

export const describedPipeline = z.strictObject({
  ...facts.shape,
  refKind: z.enum(['branch', 'tag', 'merge_request']),
  beforeSha: z.string().nullable(),
  source: z.enum(PIPELINE_SOURCES),
  stages: z.array(z.string()),
  userId: z.int().nullable(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  duration: z.int().nullable(),
  queuedDuration: z.int().nullable(),
});

export const describePipeline = defineOperation({
  id: 'pipeline-describe',
  service: 'ci',
  summary: 'A pipeline with its jobs, for what is told of it; the asking service checks rights',
  effect: 'read',
  request: describedRecord,
  answer: z.strictObject({
    pipeline: z
      .strictObject({
        ...describedPipeline.shape,
        variables: z.array(z.strictObject({ key: z.string(), value: z.string() })),
        /** Without those that were retried, in the order of their ids. */
        jobs: z.array(describedJob),
      })
      .nullable(),
  }),
});

export type DescribedPipeline = z.output<typeof describedPipeline>;
export type PipelineFacts = z.output<typeof facts>;

export const pipelineOperations = [findPipelineOfCommit, describePipeline];
