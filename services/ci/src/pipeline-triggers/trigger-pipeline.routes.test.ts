import {
  createPipelineTrigger,
  getPipelineTrigger,
  triggerPipeline,
  triggerPipelineOfRef,
} from '@forgelog/contracts/ci/pipeline-triggers/pipeline-trigger.api.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { projectCreated } from '@forgelog/testing/sample-events.ts';
import { OWNER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { jobSlice } from '../jobs/job.slice.ts';
import { definitionsOf } from '../pipelines/definitions-object.ts';
import { givenVariables } from '../pipelines/given-variables.ts';
import { pipelineDecider } from '../pipelines/pipeline.decider.ts';
import { pipelineSlice } from '../pipelines/pipeline.slice.ts';
import { pipelineStream } from '../pipelines/pipeline-state.ts';
import { pipelines } from '../pipelines/pipelines.projection.ts';
import { jobTokens } from '../runners/job-token.ts';
import { startCiSlices } from '../testing/start-ci-slices.ts';
import { pipelineTriggerSlice } from './pipeline-trigger.slice.ts';

const branches = { main: { '.gitlab-ci.yml': 'build: {script: make}' } };

async function start() {
  const { ci, call } = await startCiSlices(
    [pipelineSlice, jobSlice, pipelineTriggerSlice],
    { 7: { branches }, 8: { branches } },
    [...team, projectCreated(8)],
  );
  const { body: trigger } = await call(createPipelineTrigger, { id: 7, description: 'Docs' }, OWNER);
  return { ci, call, trigger, all: () => ci.readStore.find(pipelines, { limit: 9 }) };
}

test('the token of a trigger runs a pipeline as its owner, without other credentials', async () => {
  const { ci, call, trigger, all } = await start();
  const { token } = trigger;
  const ran = await call(triggerPipeline, { id: 7, token, ref: 'main', variables: { LEVEL: 'full' } });
  expect(ran).toMatchObject({ status: 201, body: { id: 1, ref: 'main', user: { id: OWNER } } });
  expect(JSON.stringify(ran.events)).not.toContain(token);
  const [pipeline] = await all();
  expect(pipeline).toMatchObject({ source: 'trigger', status: 'pending' });
  expect(givenVariables(ci).open({ projectId: 7, iid: 1 }, pipeline!.sealedVariables)).toEqual([
    { key: 'LEVEL', value: 'full', type: 'env_var' },
    { key: 'TRIGGER_PAYLOAD', value: expect.any(String), type: 'file' },
  ]);
  const used = (await call(getPipelineTrigger, { id: 7, trigger_id: 1 }, OWNER)).body;
  expect(used.last_used).toEqual(expect.any(String));
  const again = await call(triggerPipelineOfRef, { id: 'user1/project7', ref: 'main', token });
  expect(again).toMatchObject({ status: 201, body: { id: 2 } });
});

test('jobs get what came with a trigger, and the first characters of its token', async () => {
  const { ci, call, trigger, all } = await start();
  const { token } = trigger;
  const sent = { object_kind: 'push', nested: { list: [1, 'two'] } };
  const hidden = { token, private_token: 'secret', job_token: 'secret' };
  await call(triggerPipeline, { id: 7, ref: 'main', variables: { LEVEL: 'full' }, ...sent, ...hidden });
  const [row] = await all();
  const payload = givenVariables(ci)
    .open(row!, row!.sealedVariables)
    .find(({ key }) => key === 'TRIGGER_PAYLOAD');
  expect(JSON.parse(payload!.value)).toEqual({ id: '7', ref: 'main', variables: { LEVEL: 'full' }, ...sent });
  const { predefined } = (await definitionsOf(ci, row!))!;
  const told = Object.fromEntries(predefined.map(({ key, value }) => [key, value]));
  expect(told).toMatchObject({ CI_PIPELINE_TRIGGERED: 'true', CI_TRIGGER_SHORT_TOKEN: token.slice(0, 4) });
});

test('a payload that no pipeline can hold is refused', async () => {
  const { call, trigger, all } = await start();
  const big = { id: 7, ref: 'main', token: trigger.token, big: 'x'.repeat(256 * 1024) };
  expect(await call(triggerPipeline, big)).toMatchObject({ status: 413 });
  expect(await all()).toEqual([]);
});

test('a token that is wrong, or of another project, finds nothing', async () => {
  const { call, trigger, all } = await start();
  const replies = [
    await call(triggerPipeline, { id: 7, token: 'wrong', ref: 'main' }),
    await call(triggerPipeline, { id: 8, token: trigger.token, ref: 'main' }),
    await call(triggerPipeline, { id: 999, token: trigger.token, ref: 'main' }),
  ];
  for (const { status, body } of replies) expect([status, body]).toEqual([404, { message: '404 Not Found' }]);
  expect(await all()).toEqual([]);
});

test('a bad ref, bad variables and a missing token are refused', async () => {
  const { call, trigger, all } = await start();
  const { token } = trigger;
  const run = (params: object) => call(triggerPipeline, { id: 7, ref: 'main', token, ...params });
  expect((await run({ ref: 'gone' })).body).toEqual({ message: { base: ['Reference not found'] } });
  expect((await run({ variables: 'LEVEL' })).body).toEqual({ error: 'variables is invalid' });
  expect((await call(triggerPipeline, { id: 7, ref: 'main' })).body).toEqual({ error: 'token is missing' });
  expect(await all()).toEqual([]);
});

test('the token of a job runs a pipeline as its user while the job runs', async () => {
  const { ci, call, all } = await start();
  const { body: trigger } = await call(createPipelineTrigger, { id: 8, description: 'Docs' }, OWNER);
  await call(triggerPipeline, { id: 8, token: trigger.token, ref: 'main' });
  const token = jobTokens(ci).of(1);
  const run = () => call(triggerPipeline, { id: 7, token, ref: 'main' });
  expect((await run()).status).toBe(404);
  const place = { projectId: 8, iid: 1 };
  const command = {
    type: 'StartJob',
    ...place,
    jobId: 1,
    runnerId: 5,
    now: new Date().toISOString(),
  } as const;
  await ci.commands.handle(pipelineDecider, pipelineStream(place), command, SYSTEM_METADATA);
  expect(await run()).toMatchObject({ status: 201, body: { user: { id: OWNER } } });
  expect((await all()).at(-1)).toMatchObject({ source: 'pipeline', parentProjectId: 8, parentJobId: 1 });
});
