import { cancelPipeline } from '@forgelog/contracts/ci/pipelines/pipeline.api.ts';
import { DEVELOPER } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { startBridges, toOther } from '../testing/start-bridges.ts';

const CHILDREN = 'parts: {trigger: {include: one.yml}}';
const FILES = {
  'one.yml': 'below: {trigger: {include: two.yml}}\none: {script: make}',
  'two.yml': 'two: {script: make}',
};
const family = (options: Parameters<typeof startBridges>[1] = {}) =>
  startBridges(CHILDREN, { files: FILES, ...options });

test('a cancel of a pipeline cancels its children and theirs, even after it has ended', async () => {
  const { call, listed } = await family();
  expect((await listed()).map(({ status }) => status)).toEqual(['success', 'running', 'pending']);
  expect(await call(cancelPipeline, { id: 7, pipeline_id: 1 }, DEVELOPER)).toMatchObject({ status: 200 });
  expect((await listed()).map(({ status }) => status)).toEqual(['success', 'canceled', 'canceled']);
});

test('a pipeline of another project is canceled by itself', async () => {
  const { call, listed } = await startBridges(toOther());
  await call(cancelPipeline, { id: 7, pipeline_id: 1 }, DEVELOPER);
  expect((await listed()).map(({ status }) => status)).toEqual(['success', 'pending']);
});

test('a child that is made while its pipeline is canceled is canceled too', async () => {
  const { listed } = await startBridges('parts: {trigger: {include: two.yml}}', {
    files: FILES,
    duringCreation: (act) => act({ type: 'CancelPipeline' }),
  });
  expect((await listed()).map(({ status }) => status)).toEqual(['canceled', 'canceled']);
});

test('children are deleted with their pipeline, also one that is made at this moment', async () => {
  const { act, listed } = await family();
  expect(await listed()).toHaveLength(3);
  await act(7, 1, { type: 'DeletePipeline' });
  expect(await listed()).toEqual([]);
  const late = await family({ duringCreation: (act) => act({ type: 'DeletePipeline' }).catch(() => {}) });
  expect(await late.listed()).toEqual([]);
});

test('a bridge that waits for a deleted pipeline fails', async () => {
  const { act, bridges, listed } = await startBridges(toOther(', strategy: depend'));
  expect(await bridges()).toEqual(['running']);
  await act(8, 1, { type: 'DeletePipeline' });
  expect(await bridges()).toEqual(['failed: downstream_pipeline_creation_failed']);
  expect((await listed()).map(({ status }) => status)).toEqual(['failed']);
});

test('a bridge that waits for a pipeline of a deleted project fails, and one that has ended stays', async () => {
  const waiting = await startBridges(toOther(', strategy: depend'));
  await waiting.happened('ProjectDeleted', { projectId: 8 });
  expect(await waiting.bridges()).toEqual(['failed: project_deleted']);
  const ended = await startBridges(toOther());
  await ended.happened('ProjectDeleted', { projectId: 8 });
  expect(await ended.bridges()).toEqual(['success']);
});
