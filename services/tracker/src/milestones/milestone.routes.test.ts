import { groupMilestones, projectMilestones } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { milestoneSlice } from './milestone.slice.ts';

const OWNER = 1;
const REPORTER = 2;
const GUEST = 3;
const given = [
  ...[OWNER, REPORTER, GUEST].map((id) => userCreated(id)),
  ...[projectCreated(7), projectCreated(8), memberAdded(7, REPORTER, 20), memberAdded(7, GUEST, 10)],
];
const { create, get, list, update, delete: remove } = projectMilestones;
const started = () => startSlices([milestoneSlice], given, { clock: () => new Date('2030-03-31T12:00:00Z') });

test('a reporter creates, changes, closes and deletes a milestone, which guests read', async () => {
  const { call } = await started();
  const created = await call(create, { id: 7, title: '1.0', due_date: '2030-03-30' }, REPORTER);
  expect(created).toMatchObject({
    status: 201,
    body: {
      ...{ id: 1, iid: 1, project_id: 7, title: '1.0', description: null, state: 'active', expired: true },
      web_url: expect.stringMatching(/\/user1\/project7\/-\/milestones\/1$/),
    },
    events: [{ type: 'MilestoneCreated', data: { projectId: 7, groupId: null, iid: 1 } }],
  });
  expect(created.body).not.toHaveProperty('group_id');
  const one = { id: 7, milestone_id: 1 };
  expect((await call(get, one, GUEST)).body).toEqual(created.body);
  const changed = await call(update, { ...one, due_date: '2030-03-31', state_event: 'close' }, REPORTER);
  expect(changed.body).toMatchObject({ due_date: '2030-03-31', expired: false, state: 'closed' });
  expect((await call(update, { ...one, state_event: 'activate' }, REPORTER)).body.state).toBe('active');
  expect((await call(remove, one, REPORTER)).status).toBe(204);
  for (const endpoint of [get, remove])
    expect(await call(endpoint, one, REPORTER)).toMatchObject({
      ...{ status: 404, body: { message: '404 Not found' }, events: [] },
    });
});

test('a list is by due date, and filtered by number, state, title and words', async () => {
  const { call } = await started();
  for (const [title, due_date] of [
    ['Late', '2031-01-01'],
    ['Never', undefined],
    ['Soon', '2030-05-01'],
  ])
    await call(create, { id: 7, title: title!, ...(due_date && { due_date }) }, OWNER);
  await call(update, { id: 7, milestone_id: 2, state_event: 'close' }, OWNER);
  const titles = async (params: Record<string, unknown>) =>
    (await call(list, { id: 7, ...params }, OWNER)).body.map(({ title }: { title: string }) => title);
  expect(await titles({})).toEqual(['Soon', 'Late', 'Never']);
  expect(await titles({ state: 'closed' })).toEqual(['Never']);
  expect(await titles({ iids: [1, 3] })).toEqual(['Soon', 'Late']);
  expect(await titles({ title: 'Late' })).toEqual(['Late']);
  expect(await titles({ search: 'OO' })).toEqual(['Soon']);
});

test('what is wrong, taken or elsewhere changes nothing, and guests may not', async () => {
  const { call } = await started();
  await call(create, { id: 7, title: '1.0' }, OWNER);
  const answers = [await call(create, { id: 7, title: 'x' }, GUEST)];
  for (const wrong of [{ title: ' ' }, { title: '1.0' }, { title: 'x', due_date: 'soon' }])
    answers.push(await call(create, { id: 7, ...wrong }, OWNER));
  answers.push(await call(update, { id: 8, milestone_id: 1, title: 'y' }, OWNER));
  expect(answers.map(({ status, body }) => [status, body.error ?? body.message])).toEqual([
    [403, '403 Forbidden'],
    [400, { title: ["can't be blank"] }],
    [400, { title: ['already being used for another group or project milestone.'] }],
    [400, 'due_date is invalid'],
    [404, '404 Not found'],
  ]);
  expect(answers.flatMap(({ events }) => events)).toEqual([]);
  expect((await call(groupMilestones.list, { id: 99 }, OWNER)).status).toBe(404);
});
