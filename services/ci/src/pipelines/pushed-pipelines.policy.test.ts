import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import { PushReceived } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { DEVELOPER, OUTSIDER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test, vi } from 'vitest';
import { jobSlice } from '../jobs/job.slice.ts';
import { type SampleRepository, sampleSha } from '../testing/sample-repositories.slice.ts';
import { startCiSlices } from '../testing/start-ci-slices.ts';
import { givenVariables } from './given-variables.ts';
import { pipelineSlice } from './pipeline.slice.ts';
import { retryPipeline } from './pipeline-acts.ts';
import { pipelines } from './pipelines.projection.ts';
import { pushedPipelines } from './pushed-pipelines.policy.ts';

type Pushed = EventOf<typeof PushReceived>['data'];
type PushedRef = Pushed['refs'][number];

const ZERO = '0'.repeat(40);
const JOB = { '.gitlab-ci.yml': 'j: {script: x}' };

const ref = (branch: string, more: Partial<PushedRef> = {}): PushedRef => ({
  ...{ ref: `refs/heads/${branch}`, oldOid: ZERO, newOid: sampleSha(branch), commitCount: 1 },
  ...{ kind: 'branch', change: 'created', forced: false },
  ...more,
});

interface Push {
  refs?: PushedRef[];
  pushOptions?: string[];
  actorId?: number | null;
  id?: string;
  time?: string;
}

function pushed({ id = '01932c5e-7f0a-7cc0-9d0e-3c1f7d2f9a10', ...given }: Push = {}): RecordedEvent {
  const { refs = [ref('main')], pushOptions = [], actorId = DEVELOPER } = given;
  const { time = new Date().toISOString() } = given;
  const data: Pushed = {
    ...{ projectId: 7, pushId: 'push', via: 'push', pushOptions, refs, refCount: refs.length },
    ...{ commitCount: 1, commitCountIsLowerBound: false, authors: [], authorsAreComplete: true },
  };
  const metadata = { ...SYSTEM_METADATA, actorId };
  return { id, type: PushReceived.type, time, data, metadata } as unknown as RecordedEvent;
}

async function started(repository: SampleRepository) {
  const { ci } = await startCiSlices([pipelineSlice, jobSlice], { 7: repository }, team);
  const push = async (given: Push = {}, ports = ci) => {
    for (const policy of pushedPipelines(ports))
      await policy.react(pushed(given), new AbortController().signal);
  };
  const made = async () => {
    const rows = await ci.readStore.find(pipelines, { limit: 100 });
    return rows.map(({ ref: name, status }) => `${name}: ${status}`);
  };
  return { ci, push, made };
}

test('a push makes a pipeline of each branch, once however often it is told', async () => {
  const { push, made, ci } = await started({ branches: { main: JOB, other: JOB } });
  const refs = [ref('main', { oldOid: 'e'.repeat(40), change: 'moved' }), ref('other')];
  await push({ refs });
  await Promise.all([push({ refs }), push({ refs })]);
  expect(await made()).toEqual(['main: pending', 'other: pending']);
  expect(await ci.readStore.get(pipelines, 1)).toMatchObject({
    ...{ source: 'push', actorId: DEVELOPER, beforeSha: 'e'.repeat(40), sha: sampleSha('main') },
  });
  expect(await ci.readStore.get(pipelines, 2)).toMatchObject({ beforeSha: null });
  await push({ refs, id: '01932c5e-7f0a-7cc0-9d0e-3c1f7d2f9a11' });
  expect(await made()).toHaveLength(4);
});

test.each<[string, SampleRepository, Push]>([
  [
    'a deleted branch',
    { branches: { main: JOB } },
    { refs: [ref('main', { newOid: ZERO, change: 'deleted' })] },
  ],
  ['notes', { branches: { main: JOB } }, { refs: [ref('main', { kind: 'other' })] }],
  ['no configuration', { branches: { main: {} } }, {}],
  ['no job for the event', { branches: { main: { '.gitlab-ci.yml': 'j: {script: x, only: [tags]}' } } }, {}],
  ['a branch that is gone again', { branches: { main: JOB } }, { refs: [ref('gone')] }],
  ['a pusher who has no rights any more', { branches: { main: JOB } }, { actorId: OUTSIDER }],
  ['the system', { branches: { main: JOB } }, { actorId: null }],
  ['a push of days ago', { branches: { main: JOB } }, { time: '2026-01-01T00:00:00.000Z' }],
])('%s makes no pipeline', async (_, repository, given) => {
  const { push, made } = await started(repository);
  await push(given);
  expect(await made()).toEqual([]);
});

test.each<[string, SampleRepository, Push]>([
  ['a message with [skip ci]', { branches: { main: JOB }, message: 'Fix\n\n[Skip CI]' }, {}],
  ['a message with [ci-skip]', { branches: { main: JOB }, message: 'Fix [ci-skip]' }, {}],
  ['the push option ci.skip', { branches: { main: JOB } }, { pushOptions: ['ci.skip'] }],
  [
    'the push option, with an invalid configuration',
    { branches: { main: { '.gitlab-ci.yml': 'j: {script: 1' } } },
    { pushOptions: ['ci.skip'] },
  ],
])('%s makes a skipped pipeline', async (_, repository, given) => {
  const { push, made, ci } = await started(repository);
  await push(given);
  await push(given);
  expect(await made()).toEqual(['main: skipped']);
  const [row] = await ci.readStore.find(pipelines, { limit: 1 });
  expect(row).toMatchObject({ yamlErrors: null, stages: [], finishedAt: null });
  // A retry finds no jobs, and changes nothing.
  await retryPipeline(ci, row!, { userId: DEVELOPER, metadata: SYSTEM_METADATA });
  expect(await made()).toEqual(['main: skipped']);
});

test('a push that is to be skipped makes no pipeline where there is no configuration', async () => {
  const { push, made } = await started({ branches: { main: {} } });
  await push({ pushOptions: ['ci.skip'] });
  expect(await made()).toEqual([]);
});

test('an invalid configuration makes a failed pipeline', async () => {
  const { push, made } = await started({ branches: { main: { '.gitlab-ci.yml': 'j: {script: 1' } } });
  await push();
  expect(await made()).toEqual(['main: failed']);
});

test('the first refs of a push have pipelines', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const { push, made } = await started({ branches: Object.fromEntries(names.map((name) => [name, JOB])) });
  const gone = ref('z', { newOid: ZERO, change: 'deleted' });
  await push({ refs: [gone, ...names.map((name) => ref(name))] });
  expect(await made()).toEqual(['a: pending', 'b: pending', 'c: pending', 'd: pending']);
});

test('variables of a push option are given to its pipelines', async () => {
  const pushOptions = ['ci.variable=KEY'];
  const variables = [{ key: 'KEY', value: 'secret' }];
  const files = { '.gitlab-ci.yml': 'j: {script: x, rules: [{if: $KEY == "secret"}]}' };
  const { ci, push } = await started({ branches: { main: files }, pushVariables: { push: variables } });
  await push({ pushOptions });
  const row = (await ci.readStore.get(pipelines, 1))!;
  expect(row.status).toBe('pending');
  expect(givenVariables(ci).open(row, row.sealedVariables)).toMatchObject(variables);
});

test('a pipeline whose variables are lost fails and says so', async () => {
  const { ci, push } = await started({ branches: { main: JOB } });
  await push({ pushOptions: ['ci.variable=KEY'] });
  expect(await ci.readStore.get(pipelines, 1)).toMatchObject({
    status: 'failed',
    yamlErrors: expect.stringMatching(/^The values of the variables that were given with the push are lost/),
  });
});

test('a defect of one project holds up no other', async () => {
  const { ci, push, made } = await started({ branches: { main: JOB, other: JOB } });
  const error = vi.fn();
  const { create } = ci.pipelineCreation;
  const failing = {
    ...ci,
    log: { ...ci.log, error } as unknown as typeof ci.log,
    pipelineCreation: {
      create: (pipeline: Parameters<typeof create>[0]) =>
        pipeline.ref === 'refs/heads/main' ? Promise.reject(new Error('a defect')) : create(pipeline),
    },
  };
  await push({ refs: [ref('main'), ref('other')] }, failing);
  expect(error).toHaveBeenCalledTimes(1);
  expect(await made()).toEqual(['other: pending']);
});

test('a storage that stays away holds up the others for some minutes alone', async () => {
  const { ci, made } = await started({ branches: { main: JOB } });
  const error = vi.fn();
  let now = Date.now();
  let isAway = true;
  const { create } = ci.pipelineCreation;
  const [policy] = pushedPipelines({
    ...ci,
    clock: () => new Date(now),
    log: { ...ci.log, error } as unknown as typeof ci.log,
    pipelineCreation: {
      create: (pipeline) =>
        isAway ? Promise.reject(new Rejection('unavailable', { reason: 'away' })) : create(pipeline),
    },
  });
  const react = () => policy!.react(pushed(), new AbortController().signal);
  await expect(react()).rejects.toMatchObject({ code: 'unavailable' });
  now += 14 * 60_000;
  await expect(react()).rejects.toMatchObject({ code: 'unavailable' });
  now += 2 * 60_000;
  await react();
  expect(error).toHaveBeenCalledTimes(1);
  isAway = false;
  await react();
  expect(await made()).toEqual(['main: pending']);
  isAway = true;
  await expect(react()).rejects.toMatchObject({ code: 'unavailable' });
});

test('what may end otherwise later is tried again', async () => {
  const { ci, push, made } = await started({ branches: { main: JOB } });
  const busy = () => Promise.reject(new Rejection('unavailable', { reason: 'the repository is busy' }));
  const failing = { ...ci, pipelineCreation: { create: busy } };
  await expect(push({}, failing)).rejects.toMatchObject({ code: 'unavailable' });
  await push();
  expect(await made()).toEqual(['main: pending']);
});
