import {
  cancelJob,
  eraseJob,
  getJob,
  listJobs,
  listPipelineBridges,
  listPipelineJobs,
  playJob,
  retryJob,
} from '@forgelog/contracts/ci/jobs/job.api.ts';
import { on } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { givenVariables } from '../pipelines/given-variables.ts';
import { jobFacts } from '../testing/sample-pipeline.ts';
import { COMMIT, failed, passed, projectUpdated, startPipelines } from '../testing/start-pipelines.ts';

const idsOf = ({ body }: { body: { id: number }[] }) => body.map(({ id }) => id);
const one = (jobId: number) => ({ id: 7, job_id: jobId });

test('a job is shown with its pipeline, its commit and its artifacts', async () => {
  const { call, create } = await startPipelines();
  const { act } = await create([jobFacts('build', { tags: ['linux'] })]);
  await act({ type: 'StartJob', jobId: 1, runnerId: 5 });
  const stored = { size: 10, sha256: 'c'.repeat(64), expiresAt: '2031-01-01T00:00:00.000Z' };
  const archive = { fileType: 'archive', fileFormat: 'zip', filename: 'artifacts.zip' } as const;
  await act({ type: 'AddArtifact', jobId: 1, ...archive, ...stored });
  await act({ ...failed, jobId: 1, coverage: 71.5 });
  const { status, body } = await call(getJob, one(1), REPORTER);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: 1,
    status: 'failed',
    stage: 'build',
    name: 'build',
    ref: 'main',
    tag: false,
    coverage: 71.5,
    allow_failure: false,
    user: { id: OWNER },
    commit: { id: COMMIT, short_id: 'aaaaaaaa', author_name: 'Ann', parent_ids: [] },
    pipeline: { id: 1, project_id: 7, status: 'failed' },
    artifacts: [{ file_type: 'archive', size: 10, filename: 'artifacts.zip', file_format: 'zip' }],
    artifacts_file: { filename: 'artifacts.zip', size: 10 },
    artifacts_expire_at: '2031-01-01T00:00:00.000Z',
    tag_list: ['linux'],
    failure_reason: 'script_failure',
    runner: null,
  });
  expect(typeof body.duration).toBe('number');
});

const registered = on('runner-5', {
  type: 'RunnerRegistered',
  data: {
    ...{ runnerId: 5, runnerType: 'instance_type', groupId: null, projectId: null },
    ...{ description: 'Build machine', active: true, tags: [], runUntagged: true, locked: false },
    ...{ accessLevel: 'not_protected', maximumTimeout: null, tokenSha256: 'hash' },
  },
});

test('a job shows the runner that has it', async () => {
  const { call, create } = await startPipelines({ given: [registered] });
  const { act } = await create([jobFacts('build')]);
  expect((await call(getJob, one(1), OWNER)).body.runner).toBeNull();
  await act({ type: 'StartJob', jobId: 1, runnerId: 5 });
  expect((await call(getJob, one(1), OWNER)).body.runner).toMatchObject({
    id: 5,
    description: 'Build machine',
    status: 'not_connected',
  });
});

test('a job that has not run has no times, no failure and no archive', async () => {
  const { call, create } = await startPipelines();
  await create([jobFacts('later', { when: 'manual' })]);
  const { body } = await call(getJob, one(1), OWNER);
  expect(body).toMatchObject({ status: 'manual', started_at: null, duration: null, queued_duration: null });
  expect(body).not.toHaveProperty('failure_reason');
  expect(body).not.toHaveProperty('artifacts_file');
});

test('whoever may not read the repository sees no commit', async () => {
  const { call, create } = await startPipelines({
    given: [projectUpdated(7, { visibility: 'public', settings: { repository_access_level: 'private' } })],
  });
  await create([jobFacts('build')]);
  expect((await call(getJob, one(1), OUTSIDER)).body.commit).toBeNull();
  expect((await call(getJob, one(1), REPORTER)).body.commit).toMatchObject({ id: COMMIT });
});

test('jobs are listed by project and by pipeline, the newest first', async () => {
  const { call, create } = await startPipelines();
  const { act } = await create([jobFacts('build'), jobFacts('trigger', { kind: 'bridge' })]);
  await create([jobFacts('other')]);
  await act({ type: 'StartJob', jobId: 1, runnerId: 5 });
  await act({ ...failed, jobId: 1 });
  await call(retryJob, one(1), OWNER);
  const [copy] = idsOf(await call(listPipelineJobs, { id: 7, pipeline_id: 1 }, OWNER));
  const all = await call(listPipelineJobs, { id: 7, pipeline_id: 1, include_retried: true }, OWNER);
  expect(new Set(idsOf(all))).toEqual(new Set([copy, 1]));
  const pending = await call(listJobs, { id: 7, scope: ['pending'] }, OWNER);
  expect(new Set(idsOf(pending))).toEqual(new Set([3, copy]));
  expect(idsOf(await call(listJobs, { id: 7, scope: ['failed', 'success'] }, OWNER))).toEqual([1]);
  expect((await call(listPipelineJobs, { id: 7, pipeline_id: 99 }, OWNER)).status).toBe(404);
});

test('a bridge shows the pipeline that it started', async () => {
  const { call, create } = await startPipelines();
  await create([jobFacts('trigger', { kind: 'bridge' })]);
  const bridges = { id: 7, pipeline_id: 1 };
  expect((await call(listPipelineBridges, bridges, OWNER)).body).toMatchObject([
    { id: 1, downstream_pipeline: null },
  ]);
  await create([jobFacts('child')], { parent: { projectId: 7, pipelineId: 1, jobId: 1 } });
  expect((await call(listPipelineBridges, bridges, OWNER)).body).toMatchObject([
    { id: 1, downstream_pipeline: { id: 2 } },
  ]);
  expect((await call(getJob, one(1), OWNER)).status).toBe(404);
});

test('a job is canceled and retried, each once', async () => {
  const { call, create } = await startPipelines();
  await create([jobFacts('build')]);
  expect((await call(retryJob, one(1), DEVELOPER)).body).toEqual({
    message: '403 Forbidden - Job is not retryable',
  });
  expect(await call(cancelJob, one(1), DEVELOPER)).toMatchObject({
    status: 201,
    body: { status: 'canceled' },
  });
  expect(await call(cancelJob, one(1), DEVELOPER)).toMatchObject({ status: 201, events: [] });
  const { status, body } = await call(retryJob, one(1), DEVELOPER);
  expect([status, body.status, body.user.id]).toEqual([201, 'pending', DEVELOPER]);
  expect(body.id).not.toBe(1);
  expect((await call(retryJob, one(1), DEVELOPER)).status).toBe(403);
});

test('a manual job is played with variables, which no event tells, and later again as a copy', async () => {
  const { call, create, ports } = await startPipelines();
  const { act } = await create([jobFacts('deploy', { when: 'manual' })]);
  const variables = [{ key: 'TARGET', value: 'secret place' }];
  const played = await call(playJob, { ...one(1), job_variables_attributes: variables }, DEVELOPER);
  expect(played).toMatchObject({ status: 200, body: { id: 1, status: 'pending', user: { id: DEVELOPER } } });
  const { sealedVariables } = played.events.find(({ type }) => type === 'JobPlayed')!.data as {
    sealedVariables: string;
  };
  expect(sealedVariables).not.toContain('secret');
  expect(givenVariables(ports).open({ projectId: 7, iid: 1 }, sealedVariables)).toEqual([
    { key: 'TARGET', type: 'env_var', value: 'secret place' },
  ]);
  expect((await call(playJob, one(1), DEVELOPER)).body).toEqual({
    message: '400 Bad request - Unplayable Job',
  });
  await act({ type: 'StartJob', jobId: 1, runnerId: 5 });
  await act({ ...passed, jobId: 1 });
  const again = await call(playJob, one(1), DEVELOPER);
  expect(again).toMatchObject({ status: 200, body: { status: 'pending', name: 'deploy' } });
  expect(again.body.id).not.toBe(1);
});

test('maintainers erase a job, and others their own where the ref is not protected', async () => {
  const { call, create } = await startPipelines();
  const owners = await create([jobFacts('build')], { isProtected: false });
  const own = await create([jobFacts('build')], { isProtected: false, userId: DEVELOPER });
  const guarded = await create([jobFacts('build')], { isProtected: true, userId: DEVELOPER });
  for (const [at, { act }] of [owners, own, guarded].entries()) {
    expect((await call(eraseJob, one(at + 1), OWNER)).body).toEqual({
      message: '403 Forbidden - Job is not erasable!',
    });
    await act({ type: 'StartJob', jobId: at + 1, runnerId: 5 });
    await act({ ...passed, jobId: at + 1 });
  }
  expect((await call(eraseJob, one(1), DEVELOPER)).status).toBe(403);
  expect((await call(eraseJob, one(2), DEVELOPER)).status).toBe(201);
  expect((await call(eraseJob, one(3), DEVELOPER)).status).toBe(403);
  expect((await call(eraseJob, one(3), OWNER)).status).toBe(201);
});

test('on a protected branch only those act on jobs who may push to it', async () => {
  const repository = { branches: { main: {} }, protectedBranches: ['main'], pushers: [OWNER] };
  const { call, create } = await startPipelines({ repository });
  await create([jobFacts('build')]);
  expect((await call(cancelJob, one(1), DEVELOPER)).status).toBe(403);
  expect((await call(cancelJob, one(1), OWNER)).status).toBe(201);
});
