import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { CI_STATUSES } from './pipeline-statuses.ts';

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

export type PipelineFacts = z.output<typeof facts>;

export const pipelineOperations = [findPipelineOfCommit];
