import {
  createIteration,
  deleteIteration,
  getIteration,
  listGroupIterations,
  listProjectIterations,
  updateIteration,
} from '@forgelog/contracts/tracker/iterations/iteration.api.ts';
import {
  createIterationCadence,
  deleteIterationCadence,
  getIterationCadence,
  listIterationCadences,
  updateIterationCadence,
} from '@forgelog/contracts/tracker/iterations/iteration-cadence.api.ts';
import { and } from '@forgelog/eventing/query.ts';
import {
  groupCreated,
  groupMemberAdded,
  on,
  projectCreated,
  userCreated,
} from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { sweepIterations } from './due-iterations.worker.ts';
import { iterationSlice } from './iteration.slice.ts';
import { iterations } from './iterations.projection.ts';

const REPORTER = 1;
const GUEST = 2;
const STRANGER = 3;
const inGroup = (id: number, groupId: number) => {
  const { stream, event } = projectCreated(id, { visibility: 'public' });
  const place = { namespaceId: groupId, ownerId: null, fullPath: `group${groupId}/project${id}` };
  return on(stream, { ...event, data: { ...(event.data as object), ...place } });
};
const given = [
  ...[REPORTER, GUEST, STRANGER].map((id) => userCreated(id)),
  ...[groupCreated(5, { visibility: 'private' }), groupCreated(6)],
  ...[groupMemberAdded(5, REPORTER, 20), groupMemberAdded(5, GUEST, 10), groupMemberAdded(6, REPORTER, 20)],
  ...[inGroup(7, 5), projectCreated(8)],
];
const fortnights = {
  ...{ id: 5, title: 'Fortnights', start_date: '2030-01-07', duration_in_weeks: 2 },
  iterations_in_advance: 2,
};

async function started(environment = {}, more: typeof given = []) {
  const now = { today: '2030-01-08' };
  const clock = () => new Date(`${now.today}T12:00:00Z`);
  const { call, ports } = await startSlices([iterationSlice], [...given, ...more], { clock, environment });
  const listed = async (params: object = {}, as = GUEST) =>
    (await call(listGroupIterations, { id: 5, ...params }, as)).body.map(
      ({ start_date, state, sequence }: Record<string, unknown>) => `${sequence}: ${start_date} ${state}`,
    );
  const sweep = () => sweepIterations(ports, new AbortController().signal);
  return { call, ports, now, listed, sweep };
}

test('an automatic cadence has its iterations at once, and more as the days come', async () => {
  const { call, now, listed, sweep } = await started();
  const created = await call(createIterationCadence, fortnights, REPORTER);
  expect(created).toMatchObject({
    ...{ status: 201, body: { id: 1, group_id: 5, automatic: true, active: true, roll_over: false } },
    events: [{ type: 'IterationCadenceCreated' }, ...Array(3).fill({ type: 'IterationCreated' })],
  });
  expect((await call(getIterationCadence, { id: 5, cadence_id: 1 }, GUEST)).body).toEqual(created.body);
  expect((await call(listIterationCadences, { id: 5 }, GUEST)).body).toEqual([created.body]);
  expect(await listed()).toEqual(['1: 2030-01-07 2', '2: 2030-01-21 1', '3: 2030-02-04 1']);
  expect((await call(getIteration, { id: 5, iteration_id: 1 }, GUEST)).body).toMatchObject({
    ...{ id: 1, iid: 1, sequence: 1, group_id: 5, state: 2, description: null, due_date: '2030-01-20' },
    title: 'Iteration 1: January 7, 2030 - January 20, 2030',
    web_url: expect.stringMatching(/\/groups\/group5\/-\/iterations\/1$/),
  });
  now.today = '2030-01-21';
  await Promise.all([sweep(), sweep()]);
  await sweep();
  expect(await listed()).toEqual([
    ...['1: 2030-01-07 3', '2: 2030-01-21 2', '3: 2030-02-04 1', '4: 2030-02-18 1'],
  ]);
  await call(updateIterationCadence, { id: 5, cadence_id: 1, active: false }, REPORTER);
  now.today = '2030-05-01';
  await sweep();
  expect(await listed({ state: 'all' })).toHaveLength(4);
  expect(await listed({ state: 'opened' })).toEqual([]);
  await call(deleteIterationCadence, { id: 5, cadence_id: 1 }, REPORTER);
  expect(await listed()).toEqual([]);
});

test('iterations are made by hand, found by state, words and time, and shown in projects', async () => {
  const { call, now, listed } = await started();
  await call(createIterationCadence, { id: 5, title: 'By hand', automatic: false }, REPORTER);
  const make = (title: string, start_date: string, due_date: string) =>
    call(createIteration, { id: 5, cadence_id: 1, title, start_date, due_date }, REPORTER);
  const one = await make('Calm waters', '2030-01-07', '2030-01-20');
  expect(one).toMatchObject({ status: 201, body: { id: 1, title: 'Calm waters', state: 2 } });
  await make('Storm', '2030-02-01', '2030-02-10');
  await make('Harbour', '2029-12-01', '2029-12-10');
  expect(await listed()).toEqual(['1: 2029-12-01 3', '2: 2030-01-07 2', '3: 2030-02-01 1']);
  for (const [state, first] of [
    ['upcoming', ['3: 2030-02-01 1']],
    ['current', ['2: 2030-01-07 2']],
    ['started', ['2: 2030-01-07 2']],
    ['closed', ['1: 2029-12-01 3']],
    ['opened', ['2: 2030-01-07 2', '3: 2030-02-01 1']],
  ] as const)
    expect(await listed({ state })).toEqual(first);
  expect(await listed({ search: 'STORM' })).toHaveLength(1);
  expect(await listed({ search: 'hand' })).toEqual([]);
  expect(await listed({ search: 'hand', in: ['cadence_title'] })).toHaveLength(3);
  expect(await listed({ updated_after: '2990-01-01T00:00:00Z' })).toEqual([]);
  const ofProject = async (id: number, more: object = {}) =>
    (await call(listProjectIterations, { id, ...more }, REPORTER)).body.length;
  expect([await ofProject(7), await ofProject(7, { include_ancestors: false })]).toEqual([3, 3]);
  const path = { id: 5, iteration_id: 1 };
  now.today = '2030-01-21';
  const longer = await call(updateIteration, { ...path, due_date: '2030-01-21', title: null }, REPORTER);
  expect(longer.body).toMatchObject({ title: null, due_date: '2030-01-21', state: 2 });
  expect((await call(deleteIteration, path, REPORTER)).status).toBe(204);
  for (const endpoint of [getIteration, updateIteration, deleteIteration])
    expect((await call(endpoint, { ...path, title: 'x' }, REPORTER)).status).toBe(404);
});

test('guests read, strangers see nothing, and an iteration is one of its own group', async () => {
  const { call } = await started();
  await call(createIterationCadence, fortnights, REPORTER);
  const one = { id: 5, iteration_id: 1 };
  const writes = [
    [createIterationCadence, { ...fortnights, title: 'Other' }],
    [updateIterationCadence, { id: 5, cadence_id: 1, title: 'Other' }],
    [deleteIterationCadence, { id: 5, cadence_id: 1 }],
    [createIteration, { id: 5, cadence_id: 1, start_date: '2031-01-01', due_date: '2031-01-02' }],
    [updateIteration, { ...one, title: 'Other' }],
    [deleteIteration, one],
  ] as const;
  for (const [endpoint, params] of writes) {
    expect(await call(endpoint, params, GUEST)).toMatchObject({ status: 403, events: [] });
    expect(await call(endpoint, params, STRANGER)).toMatchObject({ status: 404, events: [] });
  }
  for (const [endpoint, params] of writes.slice(1))
    expect(await call(endpoint, { ...params, id: 6 }, REPORTER)).toMatchObject({ status: 404, events: [] });
  // What the cadence makes is changed by the cadence.
  for (const [endpoint, params] of [writes[3], writes[5]])
    expect(await call(endpoint, params, REPORTER)).toMatchObject({ status: 400, events: [] });
  expect((await call(listGroupIterations, { id: 5 }, STRANGER)).status).toBe(404);
  expect((await call(listProjectIterations, { id: 8 }, 1)).body).toEqual([]);
});

test('the free edition makes no iterations by itself', async () => {
  const cadence = {
    type: 'IterationCadenceCreated',
    data: {
      ...{ cadenceId: 1, groupId: 5, title: 'Weeks', description: null, startDate: '2030-01-07' },
      ...{ durationInWeeks: 1, iterationsInAdvance: 1, automatic: true, active: true, rollOver: false },
    },
  };
  for (const [EDITION, count] of [
    ['free', 0],
    ['premium', 2],
  ] as const) {
    const { ports, sweep } = await started({ EDITION }, [on('iterations-5', cadence)]);
    await sweep();
    expect(await ports.readStore.count(iterations, { where: and(), atMost: 9 })).toBe(count);
  }
});
