import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { describedRecord } from '../../shared/described-record.ts';
import { describedPipeline } from '../pipelines/pipeline.operations.ts';
import { describedJob } from './described-job.ts';

export const describeJob = defineOperation({
  id: 'job-describe',
  service: 'ci',
  summary:
    'A job that runners get, with its pipeline, for what is told of it; the asking service checks rights',
  effect: 'read',
  request: describedRecord,
  answer: z.strictObject({
    found: z.strictObject({ job: describedJob, pipeline: describedPipeline }).nullable(),
  }),
});

export const jobOperations = [describeJob];
