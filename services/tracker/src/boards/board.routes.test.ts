import { groupBoards, projectBoards } from '@forgelog/contracts/tracker/boards/board.api.ts';
import { groupLabels, projectLabels } from '@forgelog/contracts/tracker/labels/label.api.ts';
import { groupMilestones, projectMilestones } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import {
  groupCreated,
  groupMemberAdded,
  memberAdded,
  on,
  projectCreated,
  userCreated,
} from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { labelSlice } from '../labels/label.slice.ts';
import { milestoneSlice } from '../milestones/milestone.slice.ts';
import { boardSlice } from './board.slice.ts';

const OWNER = 1;
const REPORTER = 2;
const GUEST = 3;
const given = [
  ...[OWNER, REPORTER, GUEST].map((id) => userCreated(id)),
  ...[projectCreated(7), projectCreated(8), memberAdded(7, REPORTER, 20), memberAdded(7, GUEST, 10)],
  ...[groupCreated(50), groupMemberAdded(50, REPORTER, 20), groupMemberAdded(50, GUEST, 10)],
];
const started = () => startSlices([boardSlice, labelSlice, milestoneSlice], given);

test('a reporter makes a board with lists, which guests read in their order', async () => {
  const { call } = await started();
  const { create, get, update, list, addList, listLists, moveList, removeList } = projectBoards;
  const created = await call(create, { id: 7, name: 'Work' }, REPORTER);
  expect(created).toMatchObject({
    status: 201,
    body: {
      ...{ id: 1, name: 'Work', hide_backlog_list: false, hide_closed_list: false, lists: [] },
      project: { id: 7, path_with_namespace: 'user1/project7', web_url: expect.stringMatching(/project7$/) },
    },
    events: [{ type: 'BoardCreated', data: { projectId: 7, groupId: null } }],
  });
  expect(created.body).not.toHaveProperty('group');
  const one = { id: 7, board_id: 1 };
  const labelIds: number[] = [];
  for (const name of ['todo', 'doing', 'done']) {
    const { body: label } = await call(projectLabels.create, { id: 7, name, color: 'red' }, OWNER);
    labelIds.push(label.id);
    const added = await call(addList, { ...one, label_id: label.id }, REPORTER);
    expect(added).toMatchObject({ status: 201, body: { label: { name }, position: labelIds.length - 1 } });
  }
  const names = async () =>
    (await call(listLists, one, GUEST)).body.map(({ label }: { label: { name: string } }) => label.name);
  expect((await call(moveList, { ...one, list_id: 3, position: 0 }, REPORTER)).body.position).toBe(0);
  expect(await names()).toEqual(['done', 'todo', 'doing']);
  expect((await call(removeList, { ...one, list_id: 1 }, REPORTER)).status).toBe(204);
  expect(await names()).toEqual(['done', 'doing']);
  // A list goes with its label.
  await call(projectLabels.delete, { id: 7, label_id: String(labelIds[2]) }, OWNER);
  const { body } = await call(update, { ...one, name: 'Plan', hide_closed_list: true }, REPORTER);
  expect(body).toMatchObject({
    ...{ name: 'Plan', hide_closed_list: true },
    lists: [{ id: 2, label: { name: 'doing' }, position: 0 }],
  });
  expect((await call(get, one, GUEST)).body).toEqual(body);
  expect((await call(list, { id: 7 }, GUEST)).body).toEqual([body]);
});

test('a board of a group takes labels of the group, and one of another place is none', async () => {
  const { call } = await started();
  const { body: board } = await call(groupBoards.create, { id: 50, name: 'All' }, REPORTER);
  expect(board).toMatchObject({ group: { id: 50, web_url: expect.stringMatching(/\/groups\/group50$/) } });
  expect(board).not.toHaveProperty('project');
  const { body: own } = await call(groupLabels.create, { id: 50, name: 'a', color: 'red' }, REPORTER);
  const { body: other } = await call(projectLabels.create, { id: 7, name: 'b', color: 'red' }, REPORTER);
  const add = (label_id: number) =>
    call(groupBoards.addList, { id: 50, board_id: board.id, label_id }, REPORTER);
  expect((await add(own.id)).status).toBe(201);
  expect(await add(own.id)).toMatchObject({
    ...{ status: 400, body: { message: { label: ['has already been taken'] } }, events: [] },
  });
  for (const id of [other.id, 404])
    expect(await add(id)).toMatchObject({ status: 400, body: { message: 'Label not found!' }, events: [] });
});

test('guests change nothing, and a board is one of its own place', async () => {
  const { call } = await started();
  const { create, get, list, update, delete: remove, getList } = projectBoards;
  await call(create, { id: 7, name: 'Work' }, REPORTER);
  const one = { id: 7, board_id: 1 };
  for (const [endpoint, params] of [
    [create, { id: 7, name: 'Mine' }],
    [update, { ...one, name: 'Mine' }],
    [remove, one],
  ] as const) {
    expect(await call(endpoint, params, GUEST)).toMatchObject({ status: 403, events: [] });
    expect((await call(endpoint, params, null)).status).toBe(401);
  }
  for (const endpoint of [get, update, remove])
    expect(await call(endpoint, { id: 8, board_id: 1, name: 'Mine' }, OWNER)).toMatchObject({
      ...{ status: 404, body: { message: '404 Not found' }, events: [] },
    });
  expect((await call(getList, { ...one, list_id: 1 }, OWNER)).status).toBe(404);
  expect((await call(list, { id: 8 }, OWNER)).body).toEqual([]);
  expect((await call(remove, one, REPORTER)).status).toBe(204);
  expect((await call(get, one, REPORTER)).status).toBe(404);
});

test('a board has a scope of what is there, and tells it', async () => {
  const { call } = await started();
  await call(projectBoards.create, { id: 7, name: 'Work' }, REPORTER);
  const one = { id: 7, board_id: 1 };
  const { body: milestone } = await call(projectMilestones.create, { id: 7, title: '1.0' }, OWNER);
  for (const name of ['bug', 'night']) await call(projectLabels.create, { id: 7, name, color: 'red' }, OWNER);
  const scope = { milestone_id: milestone.id, assignee_id: GUEST, labels: ['bug,night'], weight: 0 };
  const { body } = await call(projectBoards.update, { ...one, ...scope }, REPORTER);
  expect(body).toMatchObject({
    ...{ milestone: { title: '1.0' }, assignee: { id: GUEST }, weight: 0 },
    labels: [{ name: 'bug' }, { name: 'night' }],
  });
  expect((await call(projectBoards.get, one, GUEST)).body).toEqual(body);
  const elsewhere = (await call(groupMilestones.create, { id: 50, title: 'Far' }, REPORTER)).body.id;
  for (const wrong of [{ milestone_id: elsewhere }, { assignee_id: 99 }, { labels: ['none'] }])
    expect((await call(projectBoards.update, { ...one, ...wrong }, REPORTER)).status).toBe(400);
  await call(projectLabels.delete, { id: 7, label_id: 'bug' }, OWNER);
  const rest = await call(
    projectBoards.update,
    { ...one, milestone_id: 0, assignee_id: null, weight: null },
    REPORTER,
  );
  expect(rest.body).toMatchObject({
    milestone: null,
    assignee: null,
    weight: null,
    labels: [{ name: 'night' }],
  });
  expect((await call(projectBoards.update, { ...one, labels: [] }, REPORTER)).body.labels).toEqual([]);
  await call(groupBoards.create, { id: 50, name: 'Wide' }, REPORTER);
  const wide = { id: 50, board_id: 2, milestone_id: elsewhere };
  expect((await call(groupBoards.update, wide, REPORTER)).body.milestone).toMatchObject({ title: 'Far' });
});

test('a list is one of a label, an assignee or a milestone, once, and goes with it', async () => {
  const { call } = await started();
  await call(projectBoards.create, { id: 7, name: 'Work' }, REPORTER);
  const one = { id: 7, board_id: 1 };
  const { body: milestone } = await call(projectMilestones.create, { id: 7, title: '1.0' }, OWNER);
  const add = (wanted: object) => call(projectBoards.addList, { ...one, ...wanted }, REPORTER);
  const lists = [{ assignee_id: GUEST }, { milestone_id: milestone.id }];
  const [ofGuest, ofMilestone] = [await add(lists[0]!), await add(lists[1]!)];
  expect(ofGuest).toMatchObject({ status: 201, body: { id: 1, assignee: { id: GUEST }, position: 0 } });
  expect(Object.keys(ofGuest.body)).toEqual(['id', 'assignee', 'position']);
  expect(ofMilestone).toMatchObject({ status: 201, body: { milestone: { title: '1.0' }, position: 1 } });
  for (const [wanted, name] of [
    [lists[0], 'assignee'],
    [lists[1], 'milestone'],
  ] as const)
    expect(await add(wanted!)).toMatchObject({
      ...{ status: 400, body: { message: { [name]: ['has already been taken'] } }, events: [] },
    });
  const refused = [
    [{ assignee_id: 404 }, 'User not found!'],
    [{ assignee_id: 0 }, 'User not found!'],
    [{ milestone_id: 404 }, 'Milestone not found!'],
  ] as const;
  for (const [wanted, message] of refused)
    expect(await add(wanted)).toMatchObject({ status: 400, body: { message }, events: [] });
  for (const wanted of [{}, { label_id: 1, milestone_id: 1 }])
    expect(await add(wanted)).toMatchObject({ status: 400, events: [] });
  await call(projectMilestones.delete, { id: 7, milestone_id: milestone.id }, OWNER);
  expect((await call(projectBoards.listLists, one, GUEST)).body).toEqual([ofGuest.body]);
});

test('the free edition has lists of labels alone', async () => {
  const board = {
    type: 'BoardCreated',
    data: {
      ...{ boardId: 1, projectId: 7, groupId: null, name: 'Work' },
      ...{ hideBacklogList: false, hideClosedList: false },
      lists: [{ listId: 1, kind: 'assignee', ofId: GUEST }],
    },
  };
  const { call } = await startSlices(
    [boardSlice, labelSlice, milestoneSlice],
    [...given, on('board-1', board)],
    {
      environment: { EDITION: 'free' },
    },
  );
  const one = { id: 7, board_id: 1 };
  expect((await call(projectBoards.listLists, one, OWNER)).body).toEqual([]);
  for (const wanted of [{ assignee_id: GUEST }, { milestone_id: 1 }])
    expect(await call(projectBoards.addList, { ...one, ...wanted }, OWNER)).toMatchObject({
      status: 403,
      events: [],
    });
});
