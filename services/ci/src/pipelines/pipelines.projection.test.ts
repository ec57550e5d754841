import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { pipelineAt } from '../testing/acting-pipeline.ts';
import { jobFacts } from '../testing/sample-pipeline.ts';
import type { CreatePipeline } from './pipeline.decider.ts';
import { pipelines, pipelinesProjection } from './pipelines.projection.ts';

const pipeline = (pipelineId: number, ref = 'main', more: Partial<CreatePipeline> = {}) =>
  pipelineAt([jobFacts('build')], { pipelineId, iid: pipelineId, ref, ...more });

test('a pipeline is stored with its status and its times', async () => {
  const at = pipeline(1);
  at.wait(10);
  at.run('build');
  await givenEvents(pipelinesProjection, ...at.events).thenDocuments(pipelines, [
    {
      id: 1,
      place: 70_000_001,
      ref: 'main',
      refKind: 'branch',
      status: 'success',
      hasYamlErrors: false,
      startedAt: '2030-01-01T00:00:10.000Z',
      duration: 0,
      queuedDuration: 10,
    },
  ]);
});

test('the newest pipeline of a ref is known, also after its deletion', async () => {
  const events = [...pipeline(1).events, ...pipeline(2, 'other').events, ...pipeline(3).events];
  await givenEvents(pipelinesProjection, ...events).thenDocuments(pipelines, [
    { id: 1, isNewest: false },
    { id: 2, isNewest: true },
    { id: 3, isNewest: true },
  ]);
  const deleted = { type: 'PipelineDeleted' as const, data: { pipelineId: 3, projectId: 7, iid: 3 } };
  await givenEvents(pipelinesProjection, ...events, deleted).thenDocuments(pipelines, [
    { id: 1, isNewest: true },
    { id: 2, isNewest: true },
  ]);
});

test('a child is no pipeline of its ref', async () => {
  const parent = { projectId: 7, pipelineId: 2, jobId: 1 };
  const child = pipeline(3, 'main', { source: 'parent_pipeline', parent });
  const events = [...pipeline(1).events, ...pipeline(2).events, ...child.events];
  await givenEvents(pipelinesProjection, ...events).thenDocuments(pipelines, [
    { id: 1, isNewest: false },
    { id: 2, isNewest: true },
    { id: 3, isNewest: false },
  ]);
  const deleted = { type: 'PipelineDeleted' as const, data: { pipelineId: 2, projectId: 7, iid: 2 } };
  await givenEvents(pipelinesProjection, ...events, deleted).thenDocuments(pipelines, [
    { id: 1, isNewest: true },
    { id: 3, isNewest: false },
  ]);
});

test('pipelines go with their project', async () => {
  await givenEvents(pipelinesProjection, ...pipeline(1).events, projectDeleted(7).event).thenDocuments(
    pipelines,
    [],
  );
});
