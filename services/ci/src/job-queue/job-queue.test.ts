import { setTimeout as sleep } from 'node:timers/promises';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { expect, test } from 'vitest';
import { jobs } from '../jobs/jobs.collection.ts';
import type { RunnerRow } from '../runners/runners.projection.ts';
import { createJobQueue } from './job-queue.ts';

const runner = {
  ...{ id: 1, active: true, runUntagged: true, tags: [], runnerType: 'project_type', projectIds: [7] },
} as unknown as RunnerRow;

/** Ports whose read models take their time, with one pending job of project 7. */
const slow = {
  readStore: {
    async find(collection: unknown) {
      await sleep(30);
      const job = { id: 3, status: 'pending', projectId: 7, iid: 1, pipelineId: 5, tags: [] };
      return [collection === jobs ? job : { id: 5, isProtected: false }];
    },
    get: async () => undefined,
  },
  directory: {
    project: async () => ({ features: {}, ancestors: [], archived: false }),
    marked: async () => ({ projects: new Set(), groups: new Set() }),
  },
} as unknown as ServicePorts;

const queued = { type: 'JobQueued', data: { jobId: 3, projectId: 7 } } as unknown as RecordedEvent;

test('a runner that asks right after a job became pending gets it, however slow the read models are', async () => {
  const queue = createJobQueue(slow);
  await queue.start();
  expect(await queue.take(runner)).toMatchObject({ id: 3 });
  queue.applied([queued]);
  expect(await queue.take(runner)).toMatchObject({ id: 3 });
  expect(await queue.take(runner)).toBeUndefined();
});
