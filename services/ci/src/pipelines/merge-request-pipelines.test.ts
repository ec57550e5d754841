import {
  createMergeRequestPipeline,
  listMergeRequestPipelines,
} from '@forgelog/contracts/ci/pipelines/merge-request-pipeline.api.ts';
import { createPipeline } from '@forgelog/contracts/ci/pipelines/pipeline-creation.api.ts';
import { PushReceived } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { MergeRequestCreated } from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { asc } from '@forgelog/eventing/query.ts';
import { DEVELOPER, OUTSIDER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { jobSlice } from '../jobs/job.slice.ts';
import {
  type SampleMergeRequest,
  type SampleRepository,
  sampleSha,
} from '../testing/sample-repositories.slice.ts';
import { startCiSlices } from '../testing/start-ci-slices.ts';
import { definitionsOf } from './definitions-object.ts';
import { openedMergeRequests } from './opened-merge-requests.policy.ts';
import { pipelineSlice } from './pipeline.slice.ts';
import { pipelineCreationSlice } from './pipeline-creation.slice.ts';
import { pipelines } from './pipelines.projection.ts';
import { pushedPipelines } from './pushed-pipelines.policy.ts';

const request: SampleMergeRequest = {
  ...{ id: 90, projectId: 7, iid: 3, title: 'Topic', sourceProjectId: 7, sourceBranch: 'topic' },
  ...{ targetBranch: 'main', sha: sampleSha('topic'), startSha: sampleSha('main') },
  ...{ labels: ['bug', 'ui'], assigneeIds: [DEVELOPER], isApproved: false },
};
const CONFIGURATION = `
of-branch: {script: x, rules: [{if: $CI_COMMIT_BRANCH}]}
of-request: {script: x, rules: [{if: '$CI_MERGE_REQUEST_TARGET_BRANCH_NAME == "main"'}]}
changed: {script: x, rules: [{if: $CI_MERGE_REQUEST_IID, changes: [docs/*]}]}
old: {script: x, only: [merge_requests]}
`;

async function started(more: Partial<SampleRepository> = {}, content = CONFIGURATION) {
  const branches = { main: {}, topic: { '.gitlab-ci.yml': content } };
  const repository = { branches, changed: ['docs/a'], mergeRequests: [request], ...more };
  const running = await startCiSlices(
    [pipelineCreationSlice, pipelineSlice, jobSlice],
    { 7: repository },
    team,
  );
  const { ci, call } = running;
  const react = async (policies: ReturnType<typeof pushedPipelines>, event: object) => {
    const told = {
      id: '01932c5e-7f0a-7cc0-9d0e-3c1f7d2f9a10',
      time: new Date().toISOString(),
      metadata: { ...SYSTEM_METADATA, actorId: DEVELOPER },
      ...event,
    } as unknown as RecordedEvent;
    for (const policy of policies) await policy.react(told, new AbortController().signal);
  };
  const push = () =>
    react(pushedPipelines(ci), {
      type: PushReceived.type,
      data: {
        ...{ projectId: 7, pushId: 'push', via: 'push', pushOptions: [], refCount: 1 },
        refs: [
          {
            ...{ ref: 'refs/heads/topic', oldOid: 'e'.repeat(40), newOid: sampleSha('topic') },
            ...{ kind: 'branch', change: 'moved' },
          },
        ],
      },
    });
  const open = () =>
    react(openedMergeRequests(ci), {
      type: MergeRequestCreated.type,
      data: { projectId: 7, iid: 3, sourceSha: sampleSha('topic') },
    });
  const rows = () => ci.readStore.find(pipelines, { sort: [asc('id')], limit: 100 });
  const jobsOf = async (index: number) => {
    return [...(await definitionsOf(ci, (await rows())[index]!))!.jobs.keys()];
  };
  const run = (caller: number | null = DEVELOPER, iid = 3) =>
    call(createMergeRequestPipeline, { id: 7, merge_request_iid: iid }, caller);
  const list = async (caller = DEVELOPER) =>
    (await call(listMergeRequestPipelines, { id: 7, merge_request_iid: 3 }, caller)).body;
  return { ...running, push, open, rows, jobsOf, run, list };
}

test('a push to the branch of a merge request makes a pipeline of each, with the jobs of each', async () => {
  const { push, rows, jobsOf, ci } = await started();
  await push();
  await push();
  expect(await rows()).toMatchObject([
    { ref: 'topic', refKind: 'branch', source: 'push' },
    {
      ...{ ref: 'refs/merge-requests/3/head', refKind: 'merge_request', source: 'merge_request_event' },
      ...{ sha: sampleSha('topic'), isProtected: false, actorId: DEVELOPER },
    },
  ]);
  expect(await jobsOf(0)).toEqual(['of-branch']);
  expect(await jobsOf(1)).toEqual(['of-request', 'changed', 'old']);
  const told = async (index: number) => {
    const { predefined } = (await definitionsOf(ci, (await rows())[index]!))!;
    return new Map(predefined.map(({ key, value }) => [key, value]));
  };
  expect((await told(0)).get('CI_OPEN_MERGE_REQUESTS')).toMatch(/^[^!]+!3$/);
  const variables = await told(1);
  expect(Object.fromEntries(variables)).toMatchObject({
    ...{ CI_COMMIT_REF_NAME: 'topic', CI_MERGE_REQUEST_IID: '3', CI_MERGE_REQUEST_TITLE: 'Topic' },
    ...{ CI_MERGE_REQUEST_LABELS: 'bug,ui', CI_MERGE_REQUEST_REF_PATH: 'refs/merge-requests/3/head' },
    ...{ CI_MERGE_REQUEST_DIFF_BASE_SHA: sampleSha('main'), CI_PIPELINE_SOURCE: 'merge_request_event' },
  });
  expect(variables.has('CI_COMMIT_BRANCH')).toBe(false);
});

test('an opened merge request gets its pipeline, once however often it is told', async () => {
  const { open, rows } = await started();
  await open();
  await Promise.all([open(), open()]);
  expect(await rows()).toMatchObject([{ refKind: 'merge_request' }]);
});

test('a push that opens a merge request makes one pipeline of it, in whichever order both are told', async () => {
  const opened = await started();
  await Promise.all([opened.open(), opened.push()]);
  await opened.push();
  expect((await opened.rows()).map(({ refKind }) => refKind).toSorted()).toEqual(['branch', 'merge_request']);
});

test('files that the merge request leaves alone start no job of changes', async () => {
  const { open, jobsOf } = await started({ changed: ['src/a'] });
  await open();
  expect(await jobsOf(0)).toEqual(['of-request', 'old']);
});

test('without jobs for merge requests there is no pipeline', async () => {
  const { open, push, rows, run } = await started({}, 'j: {script: x, only: [branches]}');
  await open();
  expect(await rows()).toEqual([]);
  await push();
  expect(await rows()).toMatchObject([{ refKind: 'branch' }]);
  expect((await run()).body).toEqual({ message: { base: ['No stages / jobs for this pipeline.'] } });
});

test('a developer runs a pipeline of a merge request, even where its branch is protected', async () => {
  const { run } = await started({ protectedBranches: ['topic'], pushers: [] });
  expect(await run()).toMatchObject({
    ...{ status: 200, body: { ref: 'refs/merge-requests/3/head', sha: sampleSha('topic') } },
    events: [{ type: 'PipelineCreated', data: { isProtected: false } }, ...Array(4).fill({})],
  });
  expect((await run(REPORTER)).status).toBe(403);
  expect((await run(OUTSIDER)).status).toBe(404);
  expect((await run(null)).status).toBe(401);
  expect((await run(DEVELOPER, 4)).status).toBe(404);
});

test('a merge request that is not open has no new pipeline, nor one from a fork', async () => {
  const closed = await started({ mergeRequests: [{ ...request, isOpen: false }] });
  expect((await closed.run()).status).toBe(405);
  const fork = await started({ mergeRequests: [{ ...request, sourceProjectId: 8 }] });
  expect((await fork.run()).status).toBe(400);
  await fork.open();
  expect(await fork.rows()).toEqual([]);
});

test('the list has pipelines of the merge request and of its branch at its commits', async () => {
  const older = 'f'.repeat(40);
  const { push, list, call, run } = await started({
    mergeRequests: [{ ...request, heads: [request.sha, older] }],
  });
  await push();
  await call(createPipeline, { id: 7, ref: 'topic' }, DEVELOPER);
  const ids = (await list()).map(({ id }: { id: number }) => id);
  expect(ids).toEqual([3, 2, 1]);
  expect((await run()).body.id).toBe(4);
  expect(await list(REPORTER)).toHaveLength(4);
});
