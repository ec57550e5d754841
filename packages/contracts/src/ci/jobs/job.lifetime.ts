import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { PipelineDeleted } from '../pipelines/pipeline.events.ts';
import {
  JobCanceled,
  JobCreated,
  JobFailed,
  JobMadeManual,
  JobPlayed,
  JobQueued,
  JobReset,
  JobRetried,
  JobScheduled,
  JobSkipped,
  JobStarted,
  JobSucceeded,
  JobWaitsForResource,
} from './job.events.ts';
import {
  JobArtifactAdded,
  JobArtifactDeleted,
  JobArtifactsKept,
  JobErased,
  JobLogArchived,
} from './job-storage.events.ts';

const withItsPipeline = [endsWith(PipelineDeleted, ['pipelineId']), endsWith(ProjectDeleted, ['projectId'])];

export const jobLifetime = defineLifetime({
  kind: 'Job',
  id: ['jobId'],
  begins: [
    begins(JobCreated, {
      fixed: {
        isRetried: false,
        artifactsKept: false,
        startedAt: null,
        finishedAt: null,
        playedAt: null,
        runnerId: null,
        coverage: null,
        failureReason: null,
        exitCode: null,
        logSize: null,
        logSha256: null,
        erasedAt: null,
        erasedById: null,
      },
    }),
  ],
  changes: changedBy(
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
    JobPlayed,
    JobRetried,
    JobArtifactsKept,
    JobLogArchived,
    JobErased,
  ),
  ends: withItsPipeline,
});

export const jobArtifactLifetime = defineLifetime({
  kind: 'JobArtifact',
  id: ['jobId', 'fileType'],
  begins: [begins(JobArtifactAdded)],
  ends: [endsWith(JobArtifactDeleted, ['jobId', 'fileType']), ...withItsPipeline],
});
