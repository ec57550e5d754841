import {
  createEpic,
  deleteEpic,
  getEpic,
  listEpics,
  updateEpic,
} from '@forgelog/contracts/tracker/epics/epic.api.ts';
import { epicDiscussions, epicNotes } from '@forgelog/contracts/tracker/epics/epic-discussion.api.ts';
import { groupCreated, groupMemberAdded, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { discussionSlice } from '../discussions/discussion.slice.ts';
import { labelSlice } from '../labels/label.slice.ts';
import { epicSlice } from './epic.slice.ts';

const [OWNER, REPORTER, GUEST, STRANGER] = [1, 2, 3, 4];
const [TEAM, BELOW, HIDDEN] = [7, 8, 9];
const given = [
  ...[OWNER, REPORTER, GUEST, STRANGER].map((id) => userCreated(id)),
  groupCreated(TEAM, { visibility: 'public' }),
  groupCreated(BELOW, { parentId: TEAM, visibility: 'public', fullPath: 'group7/group8' }),
  groupCreated(HIDDEN, { parentId: TEAM, fullPath: 'group7/group9' }),
  groupMemberAdded(TEAM, OWNER, 50),
  groupMemberAdded(TEAM, REPORTER, 20),
  groupMemberAdded(TEAM, GUEST, 10),
];
const started = () => startSlices([epicSlice, labelSlice, discussionSlice([])], given);

test('a reporter opens, changes and closes an epic, which everybody reads and owners delete', async () => {
  const { call } = await started();
  const wanted = { title: 'Cross the ocean', labels: ['sail'], due_date_is_fixed: true };
  const made = await call(createEpic, { id: TEAM, ...wanted, due_date_fixed: '2030-04-01' }, REPORTER);
  expect(made).toMatchObject({
    status: 201,
    body: {
      ...{ id: 1, iid: 1, group_id: TEAM, title: 'Cross the ocean', labels: ['sail'], state: 'opened' },
      ...{ due_date: '2030-04-01', end_date: '2030-04-01', start_date: null, author: { id: REPORTER } },
      references: { short: '&1', relative: '&1', full: 'group7&1' },
      web_url: expect.stringMatching(/\/groups\/group7\/-\/epics\/1$/),
    },
    events: [{ type: 'LabelCreated', data: { projectId: null, groupId: TEAM } }, { type: 'EpicOpened' }],
  });
  const one = { id: TEAM, epic_iid: 1 };
  expect((await call(getEpic, one, null)).body).toEqual(made.body);
  const changed = await call(
    updateEpic,
    { ...one, title: 'Cross the sea', remove_labels: ['sail'] },
    REPORTER,
  );
  expect(changed.body).toMatchObject({ title: 'Cross the sea', labels: [] });
  const closed = await call(updateEpic, { ...one, state_event: 'close' }, REPORTER);
  expect(closed.body).toMatchObject({ state: 'closed', closed_at: expect.any(String) });
  expect((await call(updateEpic, { ...one, title: 'x' }, GUEST)).status).toBe(403);
  expect((await call(deleteEpic, one, REPORTER)).status).toBe(403);
  expect((await call(deleteEpic, one, OWNER)).status).toBe(204);
  for (const endpoint of [getEpic, deleteEpic]) expect((await call(endpoint, one, OWNER)).status).toBe(404);
  const next = await call(createEpic, { id: TEAM, title: 'Next' }, REPORTER);
  expect(next.body).toMatchObject({ id: 2, iid: 2 });
});

test('a list has the epics of the groups below that the caller sees, filtered and ordered', async () => {
  const { call } = await started();
  for (const [id, title, labels] of [
    [TEAM, 'Sail', ['sea']],
    [BELOW, 'Anchor', ['sea', 'iron']],
    [HIDDEN, 'Treasure', []],
  ] as const)
    await call(createEpic, { id, title, labels: [...labels] }, OWNER);
  await call(updateEpic, { id: BELOW, epic_iid: 1, state_event: 'close' }, OWNER);
  const titles = async (params: object, as: number | null = OWNER) =>
    (await call(listEpics, { id: TEAM, ...params }, as)).body.map(({ title }: { title: string }) => title);
  expect(await titles({})).toEqual(['Treasure', 'Anchor', 'Sail']);
  expect(await titles({}, STRANGER)).toEqual(['Anchor', 'Sail']);
  expect(await titles({ include_descendant_groups: false })).toEqual(['Sail']);
  expect(await titles({ id: BELOW, include_ancestor_groups: true, order_by: 'title' })).toEqual([
    'Sail',
    'Anchor',
  ]);
  expect(await titles({ labels: ['sea'], sort: 'asc' })).toEqual(['Sail', 'Anchor']);
  expect(await titles({ labels: ['sea,iron'] })).toEqual(['Anchor']);
  expect(await titles({ labels: ['None'] })).toEqual(['Treasure']);
  expect(await titles({ state: 'closed' })).toEqual(['Anchor']);
  expect(await titles({ search: 'reas' })).toEqual(['Treasure']);
  expect(await titles({ author_username: 'user2' })).toEqual([]);
  const both = { id: TEAM, author_username: 'user1', author_id: 1 };
  expect((await call(listEpics, both, OWNER)).status).toBe(400);
});

test('a confidential epic is there for reporters alone, and so is what is said of it', async () => {
  const { call } = await started();
  const { body } = await call(createEpic, { id: TEAM, title: 'Mutiny', confidential: true }, REPORTER);
  const discussed = { id: TEAM, epic_id: body.id };
  const start = await call(epicDiscussions.start, { ...discussed, body: 'When?' }, REPORTER);
  expect(start).toMatchObject({
    status: 201,
    body: { notes: [{ noteable_type: 'Epic', noteable_id: body.id, noteable_iid: 1, resolvable: false }] },
    events: [{ type: 'DiscussionStarted', data: { projectId: null, groupId: TEAM } }],
  });
  for (const as of [GUEST, STRANGER, null]) {
    expect((await call(getEpic, { id: TEAM, epic_iid: 1 }, as)).status).toBe(404);
    expect((await call(epicDiscussions.list, discussed, as)).status).toBe(404);
    expect((await call(listEpics, { id: TEAM }, as)).body).toEqual([]);
  }
  expect((await call(epicDiscussions.list, discussed, OWNER)).body).toHaveLength(1);
});

test('whoever sees an epic discusses it by its id, and it takes its discussions along', async () => {
  const { call } = await started();
  const { body } = await call(createEpic, { id: TEAM, title: 'Sail' }, OWNER);
  const discussed = { id: TEAM, epic_id: body.id };
  const { body: thread } = await call(epicDiscussions.start, { ...discussed, body: 'When?' }, STRANGER);
  const within = { ...discussed, discussion_id: thread.id };
  expect((await call(epicDiscussions.reply, { ...within, body: '/close' }, GUEST)).status).toBe(201);
  const { body: alone } = await call(epicNotes.create, { ...discussed, body: 'Soon.' }, GUEST);
  await call(epicNotes.edit, { ...discussed, note_id: alone.id, body: 'Tomorrow.' }, GUEST);
  const bodies = (await call(epicNotes.list, { ...discussed, sort: 'asc' }, null)).body;
  expect(bodies.map(({ body }: { body: string }) => body)).toEqual(['When?', '/close', 'Tomorrow.']);
  const epic = (await call(getEpic, { id: TEAM, epic_iid: 1 }, null)).body;
  expect(epic).toMatchObject({ state: 'opened', user_notes_count: 3 });
  // Of another group.
  const elsewhere = { ...within, id: BELOW };
  expect((await call(epicDiscussions.get, elsewhere, OWNER)).status).toBe(404);
  expect((await call(epicDiscussions.start, { ...discussed, body: 'x' }, null)).status).toBe(401);
  await call(deleteEpic, { id: TEAM, epic_iid: 1 }, OWNER);
  expect((await call(epicDiscussions.get, within, OWNER)).status).toBe(404);
});
