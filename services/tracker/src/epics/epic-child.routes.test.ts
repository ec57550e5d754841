import { createEpic, deleteEpic, getEpic } from '@forgelog/contracts/tracker/epics/epic.api.ts';
import {
  assignEpicChild,
  createEpicChild,
  listEpicChildren,
  removeEpicChild,
  reorderEpicChild,
} from '@forgelog/contracts/tracker/epics/epic-child.api.ts';
import { groupCreated, groupMemberAdded, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { discussionSlice } from '../discussions/discussion.slice.ts';
import { labelSlice } from '../labels/label.slice.ts';
import { epicSlice } from './epic.slice.ts';

const [OWNER, REPORTER, GUEST] = [1, 2, 3];
const [TEAM, BELOW, HIDDEN, OTHER] = [7, 8, 9, 10];
const given = [
  ...[OWNER, REPORTER, GUEST].map((id) => userCreated(id)),
  groupCreated(TEAM, { visibility: 'public' }),
  groupCreated(BELOW, { parentId: TEAM, visibility: 'public', fullPath: 'group7/group8' }),
  groupCreated(HIDDEN, { parentId: TEAM, fullPath: 'group7/group9' }),
  groupCreated(OTHER, { visibility: 'public' }),
  ...[groupMemberAdded(TEAM, OWNER, 50), groupMemberAdded(OTHER, OWNER, 50)],
  ...[groupMemberAdded(TEAM, REPORTER, 20), groupMemberAdded(TEAM, GUEST, 10)],
];

async function started() {
  const { call } = await startSlices([epicSlice, labelSlice, discussionSlice([])], given);
  const open = async (id: number, more: object = {}) =>
    (await call(createEpic, { id, title: 'Epic', ...more }, OWNER)).body as { id: number; iid: number };
  const parts = async (epic_iid: number, as: number | null = OWNER, more: object = {}) =>
    (await call(listEpicChildren, { id: TEAM, epic_iid, ...more }, as)).body.map(
      ({ id }: { id: number }) => id,
    );
  const assign = (epic_iid: number, child_epic_id: number, as = REPORTER, id = TEAM) =>
    call(assignEpicChild, { id, epic_iid, child_epic_id }, as);
  return { call, open, parts, assign };
}

test('epics of the group and below are parts of an epic, in an order that people change', async () => {
  const { call, open, parts, assign } = await started();
  const whole = await open(TEAM);
  const [near, below, hidden] = [await open(TEAM), await open(BELOW), await open(HIDDEN)];
  expect(await assign(1, near.id)).toMatchObject({
    ...{ status: 201, body: { id: near.id, parent_id: whole.id, parent_iid: 1 } },
    events: [{ type: 'EpicNested', data: { groupId: TEAM, parentIid: 1, changes: { parentId: whole.id } } }],
  });
  expect((await assign(1, near.id)).events).toEqual([]);
  for (const { id } of [below, hidden]) await assign(1, id);
  const made = await call(
    createEpicChild,
    { id: TEAM, epic_iid: 1, title: 'New', confidential: true },
    REPORTER,
  );
  expect(made).toMatchObject({
    status: 201,
    body: { title: 'New', confidential: true, parent_id: whole.id },
  });
  expect(await parts(1)).toEqual([near.id, below.id, hidden.id, made.body.id]);
  for (const as of [null]) expect(await parts(1, as)).toEqual([near.id, below.id]);
  expect(await parts(1, null, { per_page: 1, page: 2 })).toEqual([below.id]);
  const move = (child_epic_id: number, more: object) =>
    call(reorderEpicChild, { id: TEAM, epic_iid: 1, child_epic_id, ...more }, REPORTER);
  expect(
    (await move(near.id, { move_before_id: below.id })).body.map(({ id }: { id: number }) => id),
  ).toEqual([below.id, near.id, hidden.id, made.body.id]);
  await move(near.id, { move_before_id: made.body.id });
  await move(hidden.id, { move_after_id: below.id });
  expect(await parts(1)).toEqual([hidden.id, below.id, made.body.id, near.id]);
  expect((await move(near.id, { move_before_id: near.id })).status).toBe(404);
  const out = { id: TEAM, epic_iid: 1, child_epic_id: near.id };
  expect((await call(removeEpicChild, out, REPORTER)).body).toMatchObject({ id: near.id, parent_id: null });
  for (const again of [removeEpicChild]) expect((await call(again, out, REPORTER)).status).toBe(404);
  await call(deleteEpic, { id: TEAM, epic_iid: 1 }, OWNER);
  const orphan = await call(getEpic, { id: BELOW, epic_iid: 1 }, OWNER);
  expect(orphan.body).toMatchObject({ parent_id: null, parent_iid: null });
});

test('it takes a reporter, and an epic that they see; a hidden parent is none', async () => {
  const { call, open, assign } = await started();
  const secret = await open(TEAM, { confidential: true });
  const [part, elsewhere] = [await open(TEAM), await open(OTHER)];
  expect((await assign(1, part.id, GUEST)).status).toBe(403);
  expect((await assign(1, elsewhere.id)).status).toBe(404);
  expect((await assign(1, 999)).status).toBe(404);
  await assign(1, part.id);
  const one = { id: TEAM, epic_iid: 2 };
  expect((await call(getEpic, one, REPORTER)).body.parent_id).toBe(secret.id);
  for (const as of [GUEST, null])
    expect((await call(getEpic, one, as)).body).toMatchObject({ parent_id: null, parent_iid: null });
});

test('epics do not contain each other, also when two people try at once, and not too deeply', async () => {
  const { open, assign, call } = await started();
  const chain = [];
  for (let at = 0; at < 9; at++) chain.push(await open(TEAM));
  const both = await Promise.all([assign(1, chain[1]!.id), assign(2, chain[0]!.id)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400]);
  expect((await assign(1, chain[0]!.id)).body.message).toMatch(/cannot be added to itself/);
  const from = both[0]!.status === 201 ? 2 : 1;
  // The deepest of the first two, and five more in each other.
  for (const [parent, child] of [
    ...[
      [from, 3],
      [3, 4],
      [4, 5],
      [5, 6],
      [6, 7],
    ],
  ] as [number, number][])
    expect((await assign(parent, chain[child - 1]!.id)).status).toBe(201);
  expect(await assign(7, chain[7]!.id)).toMatchObject({
    status: 400,
    body: { message: /more than 7 levels/ },
  });
  const deeper = { id: TEAM, epic_iid: 7, title: 'Too deep' };
  expect((await call(createEpicChild, deeper, REPORTER)).status).toBe(400);
  await assign(8, chain[8]!.id);
  expect((await assign(6, chain[7]!.id)).status).toBe(400);
  expect((await assign(5, chain[7]!.id)).status).toBe(201);
  // Whoever is gone passes nothing on.
  await call(deleteEpic, { id: TEAM, epic_iid: 4 }, OWNER);
  expect((await assign(5, chain[2]!.id)).status).toBe(201);
});
