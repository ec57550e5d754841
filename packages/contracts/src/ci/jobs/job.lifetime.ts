import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { PipelineDeleted } from '../pipelines/pipeline.events.ts';
import { JobCreated, jobChanges } from './job.events.ts';
import { JobArtifactAdded, JobArtifactDeleted } from './job-storage.events.ts';

const withItsPipeline = [endsWith(PipelineDeleted, ['pipelineId']), endsWith(ProjectDeleted, ['projectId'])];

/** What a job is besides what the event of its creation tells. */
export const NEW_JOB = {
  isRetried: false,
  artifactsKept: false,
  startedAt: null,
  finishedAt: null,
  playedAt: null,
  runnerId: null,
  coverage: null,
  targetUrl: null,
  description: null,
  failureReason: null,
  exitCode: null,
  logSize: null,
  logSha256: null,
  erasedAt: null,
  erasedById: null,
} as const;

export const jobLifetime = defineLifetime({
  kind: 'Job',
  id: ['jobId'],
  begins: [begins(JobCreated, { fixed: NEW_JOB })],
  changes: changedBy(...jobChanges),
  ends: withItsPipeline,
});

export const jobArtifactLifetime = defineLifetime({
  kind: 'JobArtifact',
  id: ['jobId', 'fileType'],
  begins: [begins(JobArtifactAdded)],
  ends: [endsWith(JobArtifactDeleted, ['jobId', 'fileType']), ...withItsPipeline],
});
