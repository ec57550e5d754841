import type { JobEvent } from '@forgelog/contracts/ci/jobs/job.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { test } from 'vitest';
import { gatewayJobs, runningJobsProjection } from './running-jobs.projection.ts';

const ids = { jobId: 3, pipelineId: 2, projectId: 7, iid: 1 };
const created = (kind: 'build' | 'bridge'): JobEvent => ({
  type: 'JobCreated',
  data: {
    ...{ ...ids, kind, name: 'test', stage: 'test', stageIndex: 0, when: 'on_success', startIn: null },
    ...{ allowFailure: false, allowFailureExitCodes: null, needs: null, tags: [], environment: null },
    ...{ resourceGroup: null, retry: { max: 0, when: [] }, interruptible: false, timeoutSeconds: 60 },
    ...{ userId: 4, retryOf: null, status: 'pending', queuedAt: null, scheduledAt: null },
  },
});
const at = '2030-01-01T00:00:00.000Z';
const started: JobEvent = {
  type: 'JobStarted',
  data: {
    ...ids,
    changes: { status: 'running', startedAt: at, runnerId: 1 },
    previous: { status: 'pending', startedAt: null, runnerId: null },
  },
};
const returned: JobEvent = {
  type: 'JobReturned',
  data: {
    ...ids,
    changes: { status: 'pending', queuedAt: at, startedAt: null, runnerId: null },
    previous: { status: 'running', queuedAt: null, startedAt: at, runnerId: 1 },
  },
};
const played: JobEvent = {
  type: 'JobPlayed',
  data: {
    ...{ ...ids, sealedVariables: null },
    changes: { userId: 5, playedAt: at },
    previous: { userId: 4, playedAt: null },
  },
};
const canceled: JobEvent = {
  type: 'JobCanceled',
  data: {
    ...ids,
    changes: { status: 'canceled', finishedAt: at },
    previous: { status: 'running', finishedAt: null },
  },
};

test('a job runs from its start to its end, as the user who played it', async () => {
  const job = { id: 3, pipelineId: 2, projectId: 7, actorId: 4, isRunning: false };
  await givenEvents(runningJobsProjection, created('build')).thenDocuments(gatewayJobs, [job]);
  await givenEvents(runningJobsProjection, created('build'), played, started).thenDocuments(gatewayJobs, [
    { ...job, actorId: 5, isRunning: true },
  ]);
  await givenEvents(runningJobsProjection, created('build'), started, returned).thenDocuments(gatewayJobs, [
    job,
  ]);
  await givenEvents(runningJobsProjection, created('build'), started, canceled).thenDocuments(
    gatewayJobs,
    [],
  );
});

test('a bridge has no token', async () => {
  await givenEvents(runningJobsProjection, created('bridge'), started).thenDocuments(gatewayJobs, []);
});
