import {
  cancelPipeline,
  deletePipeline,
  getLatestPipeline,
  getPipeline,
  listPipelines,
  listPipelineVariables,
  retryPipeline,
} from '@forgelog/contracts/ci/pipelines/pipeline.api.ts';
import { projectCreated } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { jobFacts } from '../testing/sample-pipeline.ts';
import { COMMIT, failed, passed, projectUpdated, startPipelines } from '../testing/start-pipelines.ts';
import { givenVariables } from './given-variables.ts';

const build = jobFacts('build');
const idsOf = ({ body }: { body: { id: number }[] }) => body.map(({ id }) => id);

test('a pipeline is shown with its times, its coverage and the time of its commit', async () => {
  const { call, create } = await startPipelines();
  const { act } = await create([build]);
  await act({ type: 'StartJob', jobId: 1, runnerId: 5 });
  await act({ ...passed, jobId: 1, coverage: 92.5 });
  const { status, body } = await call(getPipeline, { id: 7, pipeline_id: 1 }, REPORTER);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: 1,
    iid: 1,
    project_id: 7,
    status: 'success',
    ref: 'main',
    sha: COMMIT,
    before_sha: '0'.repeat(40),
    tag: false,
    yaml_errors: null,
    user: { id: OWNER },
    committed_at: '2029-12-31T12:00:00.000Z',
    queued_duration: 0,
    coverage: '92.50',
  });
  expect(body.web_url).toMatch(/\/-\/pipelines\/1$/);
});

test('a child is found by its id, and is no pipeline of the project or its ref', async () => {
  const { call, create } = await startPipelines();
  await create([build]);
  const parent = { projectId: 7, pipelineId: 1, jobId: 1 };
  await create([build], { source: 'parent_pipeline', parent });
  expect(idsOf(await call(listPipelines, { id: 7 }, OWNER))).toEqual([1]);
  expect(idsOf(await call(listPipelines, { id: 7, scope: 'branches' }, OWNER))).toEqual([1]);
  expect((await call(getLatestPipeline, { id: 7, ref: 'main' }, OWNER)).body.id).toBe(1);
  expect((await call(getPipeline, { id: 7, pipeline_id: 2 }, OWNER)).body.id).toBe(2);
});

test('a list is filtered and ordered', async () => {
  const { call, create } = await startPipelines();
  const first = await create([build]);
  await create([build], { ref: 'v1', refKind: 'tag', userId: DEVELOPER, sha: 'b'.repeat(40) });
  await create([], { yamlErrors: 'jobs are missing', ref: 'feature' });
  await create([build]);
  await first.act({ type: 'CancelPipeline' });
  const found = async (filter: object) => idsOf(await call(listPipelines, { id: 7, ...filter }, OWNER));
  expect(await found({})).toEqual([4, 3, 2, 1]);
  expect(await found({ sort: 'asc' })).toEqual([1, 2, 3, 4]);
  expect(await found({ scope: 'pending' })).toEqual([4, 2]);
  expect(await found({ scope: 'finished' })).toEqual([3, 1]);
  expect(await found({ scope: 'branches' })).toEqual([4, 3]);
  expect(await found({ scope: 'tags' })).toEqual([2]);
  expect(await found({ status: 'canceled' })).toEqual([1]);
  expect(await found({ ref: 'main' })).toEqual([4, 1]);
  expect(await found({ sha: 'b'.repeat(40) })).toEqual([2]);
  expect(await found({ yaml_errors: true })).toEqual([3]);
  expect(await found({ username: 'user2' })).toEqual([2]);
  expect(await found({ name: 'nobody' })).toEqual([]);
  expect(await found({ order_by: 'ref', sort: 'asc' })).toEqual([3, 1, 4, 2]);
  const [listed] = (await call(listPipelines, { id: 7 }, OWNER)).body;
  expect(Object.keys(listed)).toHaveLength(9);
});

test('the latest pipeline is that of the default branch, or of a ref', async () => {
  const { call, create } = await startPipelines();
  await create([build]);
  await create([build], { ref: 'feature' });
  expect((await call(getLatestPipeline, { id: 7, ref: 'feature' }, OWNER)).body.id).toBe(2);
  expect((await call(getLatestPipeline, { id: 7, ref: 'main' }, OWNER)).body.id).toBe(1);
  expect((await call(getLatestPipeline, { id: 7, ref: 'gone' }, OWNER)).status).toBe(403);
});

test('a retry runs failed jobs again, and a cancel ends them', async () => {
  const { call, create } = await startPipelines();
  const { act } = await create([build, jobFacts('test', { stageIndex: 1 })]);
  await act({ type: 'StartJob', jobId: 1, runnerId: 5 });
  await act({ ...failed, jobId: 1 });
  const one = { id: 7, pipeline_id: 1 };
  expect(await call(retryPipeline, one, DEVELOPER)).toMatchObject({
    status: 201,
    body: { status: 'pending', finished_at: null },
  });
  expect(await call(cancelPipeline, one, DEVELOPER)).toMatchObject({
    status: 200,
    body: { status: 'canceled' },
  });
  expect(await call(cancelPipeline, one, DEVELOPER)).toMatchObject({ status: 200, events: [] });
});

test('a retry of many jobs takes several appends', async () => {
  const { call, create } = await startPipelines();
  const { act } = await create(Array.from({ length: 300 }, (_, index) => jobFacts(`job ${index}`)));
  await act({ type: 'CancelPipeline' });
  const { status, body, events } = await call(retryPipeline, { id: 7, pipeline_id: 1 }, OWNER);
  expect([status, body.status]).toEqual([201, 'pending']);
  expect(events.filter(({ type }) => type === 'JobRetried')).toHaveLength(300);
});

test('maintainers and who started it see the variables of a pipeline', async () => {
  const { call, create, ports } = await startPipelines();
  const given = [
    { key: 'B', type: 'file', value: 'secret' } as const,
    { key: 'A', type: 'env_var', value: '' } as const,
  ];
  const sealedVariables = givenVariables(ports).seal({ projectId: 7, iid: 1 }, given);
  expect(sealedVariables).not.toContain('secret');
  await create([build], { sealedVariables });
  await create([build], { userId: DEVELOPER });
  const variables = (pipelineId: number, as: number) =>
    call(listPipelineVariables, { id: 7, pipeline_id: pipelineId }, as);
  expect((await variables(1, OWNER)).body).toEqual([
    { key: 'A', variable_type: 'env_var', value: '' },
    { key: 'B', variable_type: 'file', value: 'secret' },
  ]);
  expect((await variables(1, DEVELOPER)).status).toBe(403);
  expect(await variables(2, DEVELOPER)).toMatchObject({ status: 200, body: [] });
});

test('owners delete a pipeline, and another project does not have it', async () => {
  const { call, create } = await startPipelines({ given: [projectCreated(8)] });
  await create([build]);
  expect((await call(getPipeline, { id: 8, pipeline_id: 1 }, OWNER)).status).toBe(404);
  expect((await call(deletePipeline, { id: 7, pipeline_id: 1 }, DEVELOPER)).status).toBe(403);
  expect((await call(deletePipeline, { id: 7, pipeline_id: 1 }, OWNER)).status).toBe(204);
  expect((await call(getPipeline, { id: 7, pipeline_id: 1 }, OWNER)).status).toBe(404);
});

test('pipelines of a public project are seen by all, unless it keeps them to its members', async () => {
  const { call, create } = await startPipelines({
    given: [
      projectUpdated(7, { visibility: 'public' }),
      projectUpdated(7, { settings: { public_builds: false } }),
    ],
  });
  await create([build]);
  expect((await call(listPipelines, { id: 7 }, OUTSIDER)).status).toBe(403);
  expect((await call(listPipelines, { id: 7 }, null)).status).toBe(403);
  expect((await call(listPipelines, { id: 7 }, REPORTER)).status).toBe(200);
  const open = await startPipelines({ given: [projectUpdated(7, { visibility: 'public' })] });
  await open.create([build]);
  expect((await open.call(listPipelines, { id: 7 }, null)).body).toHaveLength(1);
});

test('on a protected branch only those act who may push to it', async () => {
  const repository = { branches: { main: {} }, protectedBranches: ['main'], pushers: [OWNER] };
  const { call, create } = await startPipelines({ repository });
  await create([build]);
  expect((await call(cancelPipeline, { id: 7, pipeline_id: 1 }, DEVELOPER)).status).toBe(403);
  expect((await call(cancelPipeline, { id: 7, pipeline_id: 1 }, OWNER)).status).toBe(200);
});
