import { createPipeline } from '@forgelog/contracts/ci/pipelines/pipeline-creation.api.ts';
import { DEVELOPER, OUTSIDER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { jobSlice } from '../jobs/job.slice.ts';
import { sampleSha } from '../testing/sample-repositories.slice.ts';
import { startCiSlices } from '../testing/start-ci-slices.ts';
import { givenVariables } from './given-variables.ts';
import { pipelineSlice } from './pipeline.slice.ts';
import { pipelineCreationSlice } from './pipeline-creation.slice.ts';
import { pipelines } from './pipelines.projection.ts';

async function started(content = 'j: {script: x}') {
  const branches = { main: { '.gitlab-ci.yml': content }, bare: {} };
  const slices = [pipelineCreationSlice, pipelineSlice, jobSlice];
  const running = await startCiSlices(slices, { 7: { branches } }, team);
  const create = (params: object, caller: number | null = DEVELOPER) =>
    running.call(createPipeline, { id: 7, ...params }, caller);
  return { ...running, create };
}

test('a developer runs a pipeline', async () => {
  const { create } = await started();
  const { status, body, events } = await create({ ref: 'main' });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    ...{ id: 1, iid: 1, project_id: 7, status: 'pending', ref: 'main', sha: sampleSha('main') },
    ...{ tag: false, yaml_errors: null, before_sha: '0'.repeat(40), user: { id: DEVELOPER } },
  });
  expect(events.map(({ type }) => type)).toEqual(['PipelineCreated', 'JobCreated', 'PipelineStatusChanged']);
  expect(events[0]!.data).toMatchObject({ source: 'api', userId: DEVELOPER, causeId: null });
});

test.each([
  [
    'a list of hashes',
    [
      { key: 'A', value: '1', variable_type: 'file' },
      { key: 'B', value: '' },
    ],
  ],
  ['one hash', { A: '1', B: '' }],
  ['hashes by number', { 0: { key: 'A', value: '1' }, 1: { key: 'B', value: '' } }],
])('variables are given as %s', async (_, variables) => {
  const { create, ci } = await started('j: {script: x, rules: [{if: $A == "1" && $B == ""}]}');
  expect((await create({ ref: 'main', variables })).status).toBe(201);
  const row = (await ci.readStore.get(pipelines, 1))!;
  const opened = givenVariables(ci).open(row, row.sealedVariables);
  expect(opened).toMatchObject([
    { key: 'A', value: '1' },
    { key: 'B', value: '' },
  ]);
  expect(opened[0]!.type).toBe(Array.isArray(variables) ? 'file' : 'env_var');
});

test.each([
  [{ ref: 'absent' }, { message: { base: ['Reference not found'] } }],
  [{ ref: '' }, { message: { base: ['Reference not found'] } }],
  [{ ref: 'bare' }, { message: { base: ['Missing CI config file'] } }],
  [{}, { error: 'ref is missing' }],
  [{ ref: 'main', variables: 'x' }, { error: 'variables is invalid' }],
  [{ ref: 'main', variables: [{ key: 'A B', value: '1' }] }, { error: 'variables is invalid' }],
  [{ ref: 'main', variables: { 'A-B': '1' } }, { error: 'variables is invalid' }],
])('%j is refused, and nothing happens', async (params, body) => {
  const { create } = await started();
  expect(await create(params)).toMatchObject({ status: 400, body, events: [] });
});

test('an invalid configuration is refused with its errors', async () => {
  const { create } = await started('j: {script: x, tags: 1}\nk: {script: x, tags: 2}');
  const { status, body, events } = await create({ ref: 'main' });
  expect([status, events]).toEqual([400, []]);
  expect(body.message.base).toEqual([
    expect.stringMatching(/^jobs:j:tags config .* line 1\)$/),
    expect.stringMatching(/^jobs:k:tags config .* line 2\)$/),
  ]);
});

test('others are refused', async () => {
  const { create } = await started();
  const refused = [];
  for (const caller of [REPORTER, OUTSIDER, null]) refused.push(await create({ ref: 'main' }, caller));
  expect(refused.map(({ status }) => status)).toEqual([403, 404, 401]);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
});
