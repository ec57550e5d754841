import { issueNotes } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import { createEpic, deleteEpic, getEpic } from '@forgelog/contracts/tracker/epics/epic.api.ts';
import {
  assignEpicIssue,
  listEpicIssues,
  removeEpicIssue,
  reorderEpicIssue,
} from '@forgelog/contracts/tracker/epics/epic-issue.api.ts';
import {
  createIssue,
  getIssue,
  groupIssueStatistics,
  listGroupIssues,
  listIssues,
  listProjectIssues,
  updateIssue,
} from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { memberAdded } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { discussionSlice } from '../discussions/discussion.slice.ts';
import { issueSlice } from '../issues/issue.slice.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { labelSlice } from '../labels/label.slice.ts';
import { GUEST, OWNER, REPORTER, TEAM, teamEvents } from '../testing/team-events.ts';
import { epicSlice } from './epic.slice.ts';

const given = [...teamEvents, memberAdded(8, GUEST, 20)];
const slices = [epicSlice, issueSlice, labelSlice, discussionSlice([issueTarget])];
const epic = { id: TEAM, epic_iid: 1 };

/** Three issues of project 7, of which the last one is confidential, one of 8, and one of 9. */
async function started() {
  const { call } = await startSlices(slices, given);
  await call(createEpic, { id: TEAM, title: 'Cross the ocean' }, OWNER);
  const ids: number[] = [];
  for (const [id, confidential] of [
    ...[[7, false] as const, [7, false] as const, [7, true] as const],
    ...[[8, false] as const, [9, false] as const],
  ])
    ids.push((await call(createIssue, { id, title: `In ${id}`, confidential }, OWNER)).body.id);
  const idsOf = async (endpoint: typeof listEpicIssues, params: object, as: number | null) =>
    (await call(endpoint, params as never, as)).body.map(({ id }: { id: number }) => id) as number[];
  const assign = (issue_id: number, as = REPORTER) => call(assignEpicIssue, { ...epic, issue_id }, as);
  return { call, ids: ids as [number, number, number, number, number], idsOf, assign };
}

test('issues of the group are put into an epic, listed in an order that people change, and taken out', async () => {
  const { call, ids, idsOf, assign } = await started();
  const [one, two, hidden, there] = ids;
  expect(await assign(two)).toMatchObject({
    status: 201,
    body: {
      ...{ id: two, epic: { iid: 1, title: 'Cross the ocean' } },
      issue: {
        id: two,
        epic: { iid: 1, group_id: TEAM, url: `/groups/group${TEAM}/-/epics/1` },
        epic_iid: 1,
      },
    },
    events: [{ type: 'IssueEpicSet', data: { epicIid: 1, epicGroupId: TEAM, previous: { epicId: null } } }],
  });
  expect((await assign(two)).events).toEqual([]);
  for (const id of [one, hidden, there]) await assign(id);
  expect(await idsOf(listEpicIssues, epic, REPORTER)).toEqual([one, two, hidden, there]);
  expect(await idsOf(listEpicIssues, epic, GUEST)).toEqual([one, two, there]);
  expect(await idsOf(listEpicIssues, { ...epic, per_page: 1, page: 2 }, null)).toEqual([two]);

  const reorder = (issue_id: number, more: object) =>
    call(reorderEpicIssue, { ...epic, issue_id, ...more }, REPORTER);
  expect((await reorder(one, { move_before_id: hidden })).body.map(({ id }: { id: number }) => id)).toEqual([
    ...[two, hidden, one, there],
  ]);
  await reorder(there, { move_after_id: two });
  await reorder(two, { move_before_id: one });
  expect(await idsOf(listEpicIssues, epic, REPORTER)).toEqual([there, hidden, one, two]);
  // It is told neither that the issue is there, nor where.
  const beside = { ...epic, issue_id: there, move_after_id: hidden };
  expect((await call(reorderEpicIssue, beside, GUEST)).status).toBe(403);
  expect((await reorder(one, { move_before_id: one })).status).toBe(404);
  expect((await reorder(ids[4], { move_before_id: one })).status).toBe(404);

  const removed = await call(removeEpicIssue, { ...epic, issue_id: one }, REPORTER);
  expect(removed.body).toMatchObject({ id: one, issue: { epic: null, epic_iid: null } });
  expect((await call(removeEpicIssue, { ...epic, issue_id: one }, REPORTER)).status).toBe(404);
  expect(await idsOf(listEpicIssues, epic, REPORTER)).toEqual([there, hidden, two]);
});

test('an issue goes into an epic by whoever reports on both, and only below the group', async () => {
  const { call, ids, assign } = await started();
  const [one, , hidden, , elsewhere] = ids;
  expect((await assign(one, GUEST)).status).toBe(403);
  expect((await assign(elsewhere)).status).toBe(400);
  expect((await assign(999)).status).toBe(404);
  expect((await assign(hidden, GUEST)).status).toBe(403);
  await assign(one);
  await call(createEpic, { id: TEAM, title: 'Second' }, OWNER);
  const moved = await call(updateIssue, { id: 7, issue_iid: 1, epic_id: 2 }, REPORTER);
  expect(moved.body).toMatchObject({ epic: { id: 2, iid: 2 } });
  // Somebody took it out of the first one meanwhile.
  expect((await call(removeEpicIssue, { ...epic, issue_id: one }, REPORTER)).status).toBe(404);
  const wrong = { id: 9, issue_iid: 1, epic_id: 1 };
  expect((await call(updateIssue, wrong, REPORTER)).body).toEqual({
    message: { epic_id: ['is invalid'] },
  });
  const made = await call(createIssue, { id: 8, title: 'New', epic_id: 2 }, REPORTER);
  expect(made.body).toMatchObject({ epic: { id: 2 } });
  const out = await call(updateIssue, { id: 8, issue_iid: made.body.iid, epic_id: 0 }, REPORTER);
  expect(out.body.epic).toBeNull();
});

test('lists find issues by their epic on all levels, and an epic that went is none', async () => {
  const { call, ids, idsOf, assign } = await started();
  const [one, two, hidden, there] = ids;
  for (const id of [one, hidden]) await assign(id);
  const found = async (params: object, as: number | null = OWNER) =>
    Promise.all([
      idsOf(listProjectIssues as never, { id: 7, sort: 'asc', ...params }, as),
      idsOf(listGroupIssues as never, { id: TEAM, sort: 'asc', ...params }, as),
      idsOf(listIssues as never, { scope: 'all', sort: 'asc', ...params }, as),
    ]);
  expect(await found({ epic_id: 1 })).toEqual([
    [one, hidden],
    [one, hidden],
    [one, hidden],
  ]);
  expect(await found({ epic_id: 'Any' }, GUEST)).toEqual([[one], [one], [one]]);
  expect(await found({ epic_id: 'None' })).toEqual([[two], [two, there], [two, there, ids[4]]]);
  expect(await found({ 'not[epic_id]': 1 })).toEqual([[two], [two, there], [two, there, ids[4]]]);
  expect(await found({ epic_id: 99 })).toEqual([[], [], []]);
  const statistics = await call(groupIssueStatistics, { id: TEAM, epic_id: 1 }, null);
  expect(statistics.body.statistics.counts).toMatchObject({ all: 1 });
  await call(deleteEpic, epic, OWNER);
  expect(await found({ epic_id: 'Any' })).toEqual([[], [], []]);
  expect((await call(getIssue, { id: 7, issue_iid: 1 }, OWNER)).body.epic).toBeNull();
});

test('a confidential epic is betrayed by no field, filter, note or list', async () => {
  const { call, ids, idsOf } = await started();
  await call(createEpic, { id: TEAM, title: 'Mutiny', confidential: true }, OWNER);
  await call(updateIssue, { id: 8, issue_iid: 1, epic_id: 2 }, OWNER);
  const notes = async (as: number | null) =>
    (await call(issueNotes.list, { id: 8, issue_iid: 1 }, as)).body.map(({ body }: { body: string }) => body);
  expect(await notes(REPORTER)).toEqual([`added to epic group${TEAM}&2`]);
  // Reporter in the project, guest in the group.
  for (const as of [GUEST, null]) {
    expect((await call(getEpic, { id: TEAM, epic_iid: 2 }, as)).status).toBe(404);
    expect((await call(getIssue, { id: 8, issue_iid: 1 }, as)).body).toMatchObject({
      epic: null,
      epic_iid: null,
    });
    for (const epic_id of ['Any', 2])
      expect(await idsOf(listProjectIssues as never, { id: 8, epic_id }, as)).toEqual([]);
    expect(await idsOf(listProjectIssues as never, { id: 8, epic_id: 'None' }, as)).toEqual([ids[3]]);
    expect(await notes(as)).toEqual([]);
  }
  const given = { id: 8, issue_iid: 1, epic_id: 2 };
  expect((await call(updateIssue, given, GUEST)).status).toBe(400);
  await call(updateIssue, { ...given, epic_id: 1 }, REPORTER);
  expect(await notes(GUEST)).toEqual([`added to epic group${TEAM}&1`]);
  await call(deleteEpic, { id: TEAM, epic_iid: 1 }, OWNER);
  expect(await notes(GUEST)).toEqual([]);
});
