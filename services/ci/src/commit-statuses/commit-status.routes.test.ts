import {
  createCommitStatus,
  listCommitStatuses,
} from '@forgelog/contracts/ci/commit-statuses/commit-status.api.ts';
import { getJob, listJobs } from '@forgelog/contracts/ci/jobs/job.api.ts';
import { getPipeline, listPipelines } from '@forgelog/contracts/ci/pipelines/pipeline.api.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { jobFacts } from '../testing/sample-pipeline.ts';
import { sampleSha } from '../testing/sample-repositories.slice.ts';
import { COMMIT, startPipelines } from '../testing/start-pipelines.ts';
import { commitStatusSlice } from './commit-status.slice.ts';

const MAIN = sampleSha('main');
const repository = {
  ...{ commits: [COMMIT], branches: { main: {}, release: {} } },
  ...{ protectedBranches: ['release'], pushers: [OWNER] },
};

async function started() {
  const running = await startPipelines({ slices: [commitStatusSlice], repository });
  const { call } = running;
  const report = (state: string, more: object = {}, caller: number | null = DEVELOPER) =>
    call(createCommitStatus, { id: 7, sha: MAIN, state, ...more }, caller);
  const list = async (more: object = {}, sha = MAIN) =>
    (await call(listCommitStatuses, { id: 7, sha, ...more }, REPORTER)).body;
  const namesOf = async (more: object = {}, sha = MAIN) =>
    (await list(more, sha)).map((each: { name: string; status: string }) => `${each.name} ${each.status}`);
  const pipelines = async () => (await call(listPipelines, { id: 7 }, OWNER)).body;
  return { ...running, report, list, namesOf, pipelines };
}

test('a status makes a pipeline of the commit, whose branch is found', async () => {
  const { report, list, pipelines } = await started();
  const said = {
    name: 'scanner',
    target_url: 'https://scanner.example/1',
    description: 'Looks',
    coverage: 92.5,
  };
  const reply = await report('running', said);
  expect(reply).toMatchObject({
    status: 201,
    body: {
      ...{ ...said, status: 'running', sha: MAIN, ref: 'main', allow_failure: false, finished_at: null },
      author: { id: DEVELOPER },
    },
  });
  expect(reply.events.map(({ type }) => type)).toEqual([
    ...['PipelineCreated', 'JobCreated', 'PipelineStatusChanged', 'JobDescribed', 'JobStarted'],
    'PipelineStatusChanged',
  ]);
  expect(await list()).toEqual([reply.body]);
  expect(await pipelines()).toMatchObject([{ sha: MAIN, ref: 'main', status: 'running' }]);
  const ended = await report('success', { name: 'scanner', description: '' });
  expect(ended.body).toMatchObject({
    id: reply.body.id,
    status: 'success',
    description: null,
    coverage: 92.5,
  });
  expect(await pipelines()).toMatchObject([{ status: 'success' }]);
});

test('statuses that are reported at once make one pipeline', async () => {
  const { report, pipelines, namesOf } = await started();
  const names = ['a', 'b', 'c', 'd', 'e'];
  const replies = await Promise.all(names.map((name) => report('success', { name })));
  expect(replies.map(({ status }) => status)).toEqual(names.map(() => 201));
  expect(await pipelines()).toHaveLength(1);
  expect(await namesOf()).toEqual(names.map((name) => `${name} success`));
});

test('a status belongs to the newest pipeline of the commit, or to the one that is named', async () => {
  const { call, report, create, namesOf } = await started();
  await create([jobFacts('build')], { sha: MAIN });
  const second = await create([jobFacts('build')], { sha: MAIN, ref: 'release' });
  await report('failed', { ref: 'refs/heads/main', context: 'of main' });
  expect((await call(getPipeline, { id: 7, pipeline_id: 1 }, OWNER)).body.status).toBe('running');
  await report('failed', { name: 'named', pipeline_id: second.id }, OWNER);
  expect(await namesOf({ ref: 'release' })).toEqual(['build pending', 'named failed']);
  expect(await namesOf({ name: 'of main' })).toEqual(['of main failed']);
  expect(await namesOf({ stage: 'external' })).toEqual(['of main failed', 'named failed']);
  for (const wrong of [
    { pipeline_id: 99 },
    { pipeline_id: 1, ref: 'release' },
    { pipeline_id: 1, sha: COMMIT },
  ])
    expect(await report('success', wrong, OWNER)).toMatchObject({
      ...{ status: 404, events: [] },
      body: { message: '404 Pipeline for pipeline_id, sha and ref Not Found' },
    });
});

test('a status that a newer one replaces is listed where it is asked for', async () => {
  const { report, namesOf } = await started();
  for (const state of ['failed', 'running', 'success']) await report(state);
  expect(await namesOf()).toEqual(['default success']);
  expect(await namesOf({ all: true })).toEqual(['default failed', 'default success']);
  expect(await report('pending')).toMatchObject({ status: 201 });
  expect(await report('pending')).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('Cannot transition status via :enqueue from :pending') },
    events: [],
  });
});

test('the status of another system is no job that a runner executes', async () => {
  const { call, report } = await started();
  const { body } = await report('failed');
  expect((await call(listJobs, { id: 7 }, OWNER)).body).toEqual([]);
  expect((await call(getJob, { id: 7, job_id: body.id }, OWNER)).status).toBe(404);
});

test('who may not run pipelines of the ref reports nothing', async () => {
  const { call, report } = await started();
  const statuses = [];
  for (const caller of [REPORTER, OUTSIDER, null])
    statuses.push((await report('success', {}, caller)).status);
  expect(statuses).toEqual([403, 404, 401]);
  const ofRelease = { sha: sampleSha('release') };
  expect(await report('success', ofRelease)).toMatchObject({ status: 403, events: [] });
  expect((await report('success', ofRelease, OWNER)).status).toBe(201);
  expect(await report('failed', ofRelease)).toMatchObject({ status: 403, events: [] });
  expect((await call(listCommitStatuses, { id: 7, sha: MAIN }, OUTSIDER)).status).toBe(404);
});

test('what is wrong with a report is said', async () => {
  const { report, list } = await started();
  for (const [more, status, body] of [
    [{ sha: 'f'.repeat(40) }, 404, { message: '404 Commit Not Found' }],
    [{ sha: COMMIT }, 404, { message: '404 References for commit Not Found' }],
    [{ ref: 'nothing' }, 404, { message: '404 References for commit Not Found' }],
    [{ state: 'skipped' }, 400, { error: 'state does not have a valid value' }],
    [{ coverage: 'much' }, 400, { error: 'coverage is invalid' }],
    [{ coverage: 101 }, 400, { error: expect.stringContaining('coverage') }],
    [{ target_url: 'javascript:alert(1)' }, 400, { error: expect.stringContaining('target_url') }],
  ] as const)
    expect(await report('success', more)).toMatchObject({ status, body, events: [] });
  expect(await list()).toEqual([]);
  expect(await list({}, COMMIT)).toEqual([]);
});
