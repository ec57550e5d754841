import { type RecordedEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { asc } from '@forgelog/eventing/query.ts';
import { expect, test } from 'vitest';
import type { PipelineAct } from '../pipelines/pipeline-acts.ts';
import { jobFacts } from '../testing/sample-pipeline.ts';
import { passed, startPipelines } from '../testing/start-pipelines.ts';
import { jobs } from './jobs.collection.ts';
import { resourceGroupPolicies } from './resource-groups.policy.ts';

const deploy = jobFacts('deploy', { resourceGroup: 'production' });

/** Pipelines whose events reach the policy one after the other. */
async function start() {
  const { create, ci } = await startPipelines();
  const [policy] = resourceGroupPolicies(ci);
  const tell = async (event: { type: string; data: unknown }) => {
    if (!policy!.handles.includes(event.type)) return;
    const recorded = { ...event, id: newEventId(), metadata: SYSTEM_METADATA };
    await policy!.react(recorded as RecordedEvent, new AbortController().signal);
  };
  return {
    tell,
    async create(...facts: Parameters<typeof create>[0]) {
      const { id, act } = await create(facts);
      const rows = await ci.readStore.find(jobs, { sort: [asc('id')], limit: 10 });
      for (const { id: jobId, pipelineId, status } of rows)
        if (pipelineId === id) await tell({ type: 'JobCreated', data: { jobId, projectId: 7, status } });
      return async (one: PipelineAct) => {
        for (const event of (await act(one)).events) await tell(event);
      };
    },
    statuses: async () =>
      (await ci.readStore.find(jobs, { sort: [asc('id')], limit: 10 })).map(({ status }) => status),
  };
}

test('one job of a group runs at a time, over all pipelines, the oldest first', async () => {
  const { create, statuses } = await start();
  const first = await create(deploy);
  const second = await create(deploy);
  await create(deploy);
  expect(await statuses()).toEqual(['pending', 'waiting_for_resource', 'waiting_for_resource']);
  await first({ type: 'StartJob', jobId: 1, runnerId: 5 });
  expect((await statuses())[1]).toBe('waiting_for_resource');
  await first({ ...passed, jobId: 1 });
  expect(await statuses()).toEqual(['success', 'pending', 'waiting_for_resource']);
  await second({ type: 'CancelJob', jobId: 2 });
  expect(await statuses()).toEqual(['success', 'canceled', 'pending']);
});

test('groups and projects do not wait for each other, and a job without a group waits for nothing', async () => {
  const { create, statuses } = await start();
  await create(deploy, jobFacts('stage', { resourceGroup: 'staging' }), jobFacts('build'));
  expect(await statuses()).toEqual(['pending', 'pending', 'pending']);
});

test('a deleted pipeline gives its groups back, and an event that is told twice grants nothing twice', async () => {
  const { create, statuses, tell } = await start();
  const first = await create(deploy);
  await create(deploy);
  await create(deploy);
  await first({ type: 'DeletePipeline' });
  expect(await statuses()).toEqual(['pending', 'waiting_for_resource']);
  await tell({ type: 'PipelineDeleted', data: { pipelineId: 1, projectId: 7, iid: 1 } });
  expect(await statuses()).toEqual(['pending', 'waiting_for_resource']);
});
