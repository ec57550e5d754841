import { type RecordedEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { asc } from '@forgelog/eventing/query.ts';
import type { StreamedEvent } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { createPipeline, jobFacts } from '../testing/sample-pipeline.ts';
import { projectUpdated, startPipelines } from '../testing/start-pipelines.ts';
import type { CreatePipeline } from './pipeline.decider.ts';
import { pipelines } from './pipelines.projection.ts';
import { redundantPipelines } from './redundant-pipelines.policy.ts';

const build = jobFacts('build', { interruptible: true });
const shaOf = (letter: string) => letter.repeat(40);

async function start(given: readonly StreamedEvent[] = []) {
  const { create, ci } = await startPipelines({ given });
  const [policy] = redundantPipelines(ci);
  return {
    create,
    async push(sha: string, more: Partial<CreatePipeline> = {}) {
      const { id, act } = await create([build], { sha: shaOf(sha), ...more });
      const data = createPipeline([], { pipelineId: id, sha: shaOf(sha), ...more });
      const event = { type: 'PipelineCreated', data, id: newEventId(), metadata: SYSTEM_METADATA };
      await policy!.react(event as unknown as RecordedEvent, new AbortController().signal);
      return act;
    },
    statuses: async () =>
      (await ci.readStore.find(pipelines, { sort: [asc('id')], limit: 10 })).map(({ status }) => status),
  };
}

test('a newer commit of a branch cancels older pipelines of the branch', async () => {
  const { push, statuses } = await start();
  await push('1');
  await push('1', { ref: 'other' });
  await push('1', { ref: 'v1', refKind: 'tag' });
  await push('2');
  expect(await statuses()).toEqual(['canceled', 'pending', 'pending', 'pending']);
});

test('another pipeline of the same commit cancels nothing, nor does one that another pipeline starts', async () => {
  const { push, statuses } = await start();
  await push('1');
  await push('1');
  await push('2', { parent: { projectId: 7, pipelineId: 1, jobId: 1 } });
  expect(await statuses()).toEqual(['pending', 'pending', 'pending']);
});

test('a pipeline that must not be interrupted goes on once such a job has started', async () => {
  const { create, push, statuses } = await start();
  const { act } = await create([jobFacts('deploy')], { sha: shaOf('1') });
  await act({ type: 'StartJob', jobId: 1, runnerId: 5 });
  await push('2');
  expect(await statuses()).toEqual(['running', 'pending']);
});

test('a project may keep its older pipelines', async () => {
  const keeps = projectUpdated(7, { settings: { auto_cancel_pending_pipelines: 'disabled' } });
  const { push, statuses } = await start([keeps]);
  await push('1');
  await push('2');
  expect(await statuses()).toEqual(['pending', 'pending']);
});

test('children of older pipelines are canceled too, and what other projects started is not', async () => {
  const { create, push, statuses } = await start();
  const parent = { projectId: 7, pipelineId: 1, jobId: 1 };
  await push('1');
  await create([build], { sha: shaOf('1'), source: 'parent_pipeline', parent });
  await create([build], { sha: shaOf('1'), source: 'pipeline', parent: { ...parent, projectId: 8 } });
  await push('2');
  expect(await statuses()).toEqual(['canceled', 'canceled', 'pending', 'pending']);
});

test('a skipped pipeline cancels nothing', async () => {
  const { push, statuses } = await start();
  await push('1');
  await push('2', { isSkipped: true, jobs: [] });
  expect(await statuses()).toEqual(['pending', 'skipped']);
});
