import {
  createPipelineSchedule,
  createPipelineScheduleVariable,
  deletePipelineSchedule,
  deletePipelineScheduleVariable,
  getPipelineSchedule,
  listPipelineSchedules,
  playPipelineSchedule,
  takePipelineScheduleOwnership,
  updatePipelineSchedule,
  updatePipelineScheduleVariable,
} from '@forgelog/contracts/ci/pipeline-schedules/pipeline-schedule.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { type RecordedEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { runDueSchedules } from './due-schedules.worker.ts';
import { pipelineSchedulePolicies } from './pipeline-schedule.policy.ts';
import { pipelineScheduleRoutes } from './pipeline-schedule.routes.ts';
import { pipelineSchedulesProjection } from './pipeline-schedules.projection.ts';
import { scheduleVariableRoutes } from './schedule-variable.routes.ts';

const MAINTAINER = 2;
const DEVELOPER = 3;
const REPORTER = 4;
const OTHER_DEVELOPER = 5;
const given = [
  ...[1, MAINTAINER, DEVELOPER, REPORTER, OTHER_DEVELOPER].map((id) => userCreated(id)),
  projectCreated(7),
  memberAdded(7, MAINTAINER, 40),
  memberAdded(7, DEVELOPER, 30),
  memberAdded(7, OTHER_DEVELOPER, 30),
  memberAdded(7, REPORTER, 20),
];
const nightly = { id: 7, description: 'Nightly', ref: 'main', cron: '30 2 * * *' };
const one = { id: 7, pipeline_schedule_id: 1 };

const slice = defineSlice<ServicePorts>({
  routes: [pipelineScheduleRoutes, scheduleVariableRoutes],
  projections: [pipelineSchedulesProjection],
});

async function start() {
  let now = Date.parse('2026-01-01T12:00:00Z');
  const started = await startSlices([slice], given, { clock: () => new Date(now) });
  return { ...started, passTo: (time: string) => (now = Date.parse(time)) };
}

test('a developer creates, changes and deletes a schedule of their own, and others do not', async () => {
  const { call } = await start();
  const created = await call(createPipelineSchedule, nightly, DEVELOPER);
  expect(created).toMatchObject({
    status: 201,
    body: {
      ...{ id: 1, description: 'Nightly', ref: 'main', cron: '30 2 * * *', cron_timezone: 'UTC' },
      ...{ active: true, next_run_at: '2026-01-02T02:30:00.000Z', owner: { id: DEVELOPER } },
    },
  });
  const inactive = { ...one, active: false };
  expect((await call(updatePipelineSchedule, inactive, OTHER_DEVELOPER)).status).toBe(403);
  expect((await call(updatePipelineSchedule, inactive, REPORTER)).status).toBe(403);
  expect((await call(updatePipelineSchedule, inactive, DEVELOPER)).body.active).toBe(false);
  const listed = async (scope: string) =>
    (await call(listPipelineSchedules, { id: 7, scope }, REPORTER)).body.length;
  expect([await listed('active'), await listed('inactive')]).toEqual([0, 1]);
  expect((await call(deletePipelineSchedule, one, OTHER_DEVELOPER)).status).toBe(403);
  expect((await call(deletePipelineSchedule, one, DEVELOPER)).status).toBe(204);
  expect((await call(getPipelineSchedule, one, DEVELOPER)).status).toBe(404);
});

test('a maintainer takes a schedule over, which then runs as them', async () => {
  const { call } = await start();
  await call(createPipelineSchedule, nightly, DEVELOPER);
  expect((await call(takePipelineScheduleOwnership, one, OTHER_DEVELOPER)).status).toBe(403);
  const taken = await call(takePipelineScheduleOwnership, one, MAINTAINER);
  expect(taken).toMatchObject({ status: 201, body: { owner: { id: MAINTAINER } } });
  expect((await call(updatePipelineSchedule, { ...one, ref: 'dev' }, DEVELOPER)).status).toBe(403);
});

test('variables are for the owner and maintainers, and no event tells a value', async () => {
  const { call } = await start();
  await call(createPipelineSchedule, nightly, DEVELOPER);
  const variable = { key: 'LEVEL', value: 'full-and-secret' };
  const created = await call(createPipelineScheduleVariable, { ...one, ...variable }, DEVELOPER);
  expect(created).toMatchObject({ status: 201, body: { variable_type: 'env_var', ...variable } });
  expect(JSON.stringify(created.events)).not.toContain(variable.value);
  const seen = async (caller: number) => (await call(getPipelineSchedule, one, caller)).body.variables;
  expect([await seen(DEVELOPER), await seen(MAINTAINER)]).toEqual([[created.body], [created.body]]);
  expect([await seen(OTHER_DEVELOPER), await seen(REPORTER)]).toEqual([undefined, undefined]);
  const named = { ...one, key: 'LEVEL' };
  const changed = await call(
    updatePipelineScheduleVariable,
    { ...named, value: 'x', variable_type: 'file' },
    MAINTAINER,
  );
  expect(changed).toMatchObject({ status: 200, body: { variable_type: 'file', value: 'x' } });
  expect((await call(deletePipelineScheduleVariable, named, OTHER_DEVELOPER)).status).toBe(403);
  expect(await call(deletePipelineScheduleVariable, named, DEVELOPER)).toMatchObject({
    ...{ status: 202, body: changed.body },
  });
  expect((await call(deletePipelineScheduleVariable, named, DEVELOPER)).body).toEqual({
    message: '404 Variable Not Found',
  });
  expect(await seen(DEVELOPER)).toEqual([]);
});

test('whoever plays a schedule is the user of the run', async () => {
  const { call } = await start();
  await call(createPipelineSchedule, nightly, DEVELOPER);
  expect(await call(playPipelineSchedule, one, OTHER_DEVELOPER)).toMatchObject({
    ...{ status: 201, body: { message: '201 Created' } },
    events: [{ type: 'PipelineScheduleRan', data: { userId: OTHER_DEVELOPER, dueAt: null } }],
  });
});

test('two sweepers at once run each due schedule once', async () => {
  const { call, ports, passTo } = await start();
  for (const cron of ['30 2 * * *', '0 0 1 1 *']) await call(createPipelineSchedule, { ...nightly, cron }, 1);
  const sweep = () => runDueSchedules(ports, new AbortController().signal);
  const runs = async () => {
    const { revision } = await ports.commands.load(noState, 'pipelineSchedule-1');
    return revision;
  };
  await sweep();
  expect(await runs()).toBe(0);
  passTo('2026-01-05T00:00:00Z');
  await Promise.all([sweep(), sweep()]);
  await sweep();
  expect(await runs()).toBe(1);
  expect((await call(getPipelineSchedule, one, 1)).body.next_run_at).toBe('2026-01-05T02:30:00.000Z');
});

test('schedules of a blocked user stop, and others go on', async () => {
  const { call, ports } = await start();
  await call(createPipelineSchedule, nightly, DEVELOPER);
  await call(createPipelineSchedule, nightly, MAINTAINER);
  const [policy] = pipelineSchedulePolicies(ports);
  const blocked = { type: 'UserBlocked', id: newEventId(), metadata: SYSTEM_METADATA };
  const event = { ...blocked, data: { userId: DEVELOPER } } as unknown as RecordedEvent;
  for (const _ of [1, 2]) await policy!.react(event, new AbortController().signal);
  const { body } = await call(listPipelineSchedules, { id: 7 }, 1);
  expect(body.map(({ id, active }: { id: number; active: boolean }) => [id, active])).toEqual([
    [2, true],
    [1, false],
  ]);
});

const noState = { initialState: null, decide: () => [], evolve: () => null };

test('a project has at most 100 schedules', async () => {
  const { call } = await start();
  for (let at = 0; at < 100; at += 1) await call(createPipelineSchedule, nightly, DEVELOPER);
  expect(await call(createPipelineSchedule, nightly, DEVELOPER)).toMatchObject({
    status: 400,
    body: { message: { base: ['Maximum number of pipeline schedules (100) exceeded'] } },
    events: [],
  });
});
