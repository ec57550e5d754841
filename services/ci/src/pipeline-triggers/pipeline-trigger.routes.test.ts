import {
  createPipelineTrigger,
  deletePipelineTrigger,
  getPipelineTrigger,
  listPipelineTriggers,
  updatePipelineTrigger,
} from '@forgelog/contracts/ci/pipeline-triggers/pipeline-trigger.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { pipelineTriggerRoutes } from './pipeline-trigger.routes.ts';
import { pipelineTriggersProjection } from './pipeline-triggers.projection.ts';

const OWNER = 1;
const MAINTAINER = 2;
const DEVELOPER = 3;
const given = [
  ...[OWNER, MAINTAINER, DEVELOPER].map((id) => userCreated(id)),
  projectCreated(7),
  projectCreated(8),
  memberAdded(7, MAINTAINER, 40),
  memberAdded(7, DEVELOPER, 30),
];

const slice = defineSlice<ServicePorts>({
  routes: [pipelineTriggerRoutes],
  projections: [pipelineTriggersProjection],
});

test('only its owner sees the token, and the log never holds it', async () => {
  const { call } = await startSlices([slice], given);
  const created = await call(createPipelineTrigger, { id: 7, description: 'Docs' }, MAINTAINER);
  const { token } = created.body;
  expect(created).toMatchObject({
    status: 201,
    body: { id: 1, description: 'Docs', last_used: null, owner: { id: MAINTAINER } },
  });
  expect(token).toMatch(/^[0-9a-f]{40}$/);
  expect(JSON.stringify(created.events)).not.toContain(token);
  const one = { id: 7, trigger_id: 1 };
  expect((await call(getPipelineTrigger, one, MAINTAINER)).body).toEqual(created.body);
  expect((await call(getPipelineTrigger, one, OWNER)).body.token).toBe(token.slice(0, 4));
  expect((await call(listPipelineTriggers, { id: 7 }, OWNER)).body).toMatchObject([
    { token: token.slice(0, 4) },
  ]);
  expect((await call(getPipelineTrigger, one, DEVELOPER)).status).toBe(403);
});

test('a trigger is changed and deleted in its own project', async () => {
  const { call } = await startSlices([slice], given);
  await call(createPipelineTrigger, { id: 7, description: 'Docs' }, OWNER);
  const one = { id: 7, trigger_id: 1 };
  const changed = await call(updatePipelineTrigger, { ...one, description: 'Site' }, MAINTAINER);
  expect(changed).toMatchObject({
    body: { description: 'Site' },
    events: [
      {
        type: 'PipelineTriggerUpdated',
        data: { changes: { description: 'Site' }, previous: { description: 'Docs' } },
      },
    ],
  });
  expect((await call(updatePipelineTrigger, { ...one, description: 'Site' }, MAINTAINER)).events).toEqual([]);
  expect((await call(updatePipelineTrigger, { ...one, description: '' }, MAINTAINER)).status).toBe(400);
  expect((await call(deletePipelineTrigger, { id: 8, trigger_id: 1 }, OWNER)).status).toBe(404);
  expect((await call(deletePipelineTrigger, one, OWNER)).status).toBe(204);
  expect((await call(getPipelineTrigger, one, OWNER)).status).toBe(404);
  expect((await call(deletePipelineTrigger, one, OWNER)).status).toBe(404);
});
