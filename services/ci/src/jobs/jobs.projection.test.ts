import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { pipelineAt } from '../testing/acting-pipeline.ts';
import { jobFacts } from '../testing/sample-pipeline.ts';
import { jobArtifacts, jobs } from './jobs.collection.ts';
import { jobsProjection } from './jobs.projection.ts';

const archive = {
  type: 'AddArtifact',
  jobId: 1,
  fileType: 'archive',
  fileFormat: 'zip',
  filename: 'artifacts.zip',
  size: 10,
  sha256: 'c'.repeat(64),
  expiresAt: '2030-02-01T00:00:00.000Z',
} as const;

/** A pipeline whose first job has run, and failed, and left an archive. */
function failedPipeline() {
  const at = pipelineAt([jobFacts('build', { tags: ['linux'] }), jobFacts('test', { stageIndex: 1 })]);
  at.act({ type: 'StartJob', jobId: 1, runnerId: 5 });
  at.act(archive);
  at.end('build', 'failed', { coverage: 71.5 });
  return at;
}

test('a job is stored as it is now, and a retried one beside its copy', async () => {
  const at = failedPipeline();
  at.act({ type: 'RetryJob', jobId: 1, newJobId: 3, userId: 4 });
  await givenEvents(jobsProjection, ...at.events).thenDocuments(jobs, [
    {
      id: 1,
      projectId: 7,
      pipelineId: 1,
      name: 'build',
      status: 'failed',
      failureReason: 'script_failure',
      tags: ['linux'],
      runnerId: 5,
      coverage: 71.5,
      isRetried: true,
      sweptAt: null,
    },
    { id: 2, name: 'test', status: 'created', actorId: 1 },
    { id: 3, name: 'build', status: 'pending', isRetried: false, retryOf: 1, actorId: 4 },
  ]);
});

test('variables of a played job are those of its retries too, and not of a later play', async () => {
  const at = pipelineAt([jobFacts('deploy', { when: 'manual' })]);
  const play = (jobId: number, newJobId: number, sealedVariables: string | null) => {
    at.act({ type: 'PlayJob', jobId, newJobId, userId: 4, sealedVariables });
    at.run('deploy', 'failed');
  };
  play(1, 0, 'first');
  at.act({ type: 'RetryJob', jobId: 1, newJobId: 2, userId: 4 });
  at.run('deploy', 'failed');
  play(2, 3, 'second');
  play(3, 4, null);
  await givenEvents(jobsProjection, ...at.events).thenDocuments(jobs, [
    { id: 1, sealedVariables: 'first' },
    { id: 2, sealedVariables: 'first' },
    { id: 3, sealedVariables: 'second' },
    { id: 4, sealedVariables: null },
  ]);
});

test('a pending job is looked at a day later, and a running one after its timeout', async () => {
  const at = pipelineAt([jobFacts('build'), jobFacts('test', { timeoutSeconds: 60 })]);
  at.act({ type: 'StartJob', jobId: 2, runnerId: 5 });
  await givenEvents(jobsProjection, ...at.events).thenDocuments(jobs, [
    { id: 1, sweptAt: '2030-01-02T00:00:00.000Z' },
    { id: 2, sweptAt: '2030-01-01T00:02:00.000Z' },
  ]);
});

test('kept artifacts do not expire, and erased ones are gone', async () => {
  const at = failedPipeline();
  at.act({ type: 'KeepArtifacts', jobId: 1 });
  const kept = at.events.slice();
  await givenEvents(jobsProjection, ...kept).thenDocuments(jobArtifacts, [
    { key: '1/archive', jobId: 1, size: 10, expiresAt: null },
  ]);
  at.act({ type: 'EraseJob', jobId: 1, userId: 4 });
  await givenEvents(jobsProjection, ...at.events).thenDocuments(jobArtifacts, []);
});

test('jobs and artifacts go with their pipeline and with their project', async () => {
  const at = failedPipeline();
  const before = at.events.slice();
  at.act({ type: 'DeletePipeline' });
  expect(at.state()).toEqual({ existence: 'deleted' });
  for (const events of [at.events, [...before, projectDeleted(7).event]]) {
    await givenEvents(jobsProjection, ...events).thenDocuments(jobs, []);
    await givenEvents(jobsProjection, ...events).thenDocuments(jobArtifacts, []);
  }
});
