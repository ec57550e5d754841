import {
  createIssue,
  getIssue,
  listProjectIssues,
  updateIssue,
} from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { projectMilestones } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import { projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { issueSlice } from '../issues/issue.slice.ts';
import { milestoneSlice } from './milestone.slice.ts';

const OWNER = 1;
const { create, update, delete: remove } = projectMilestones;

async function started() {
  const { call } = await startSlices(
    [issueSlice, milestoneSlice],
    [userCreated(OWNER), projectCreated(7), projectCreated(8)],
  );
  await call(create, { id: 7, title: '1.0' }, OWNER);
  await call(create, { id: 8, title: '1.0' }, OWNER);
  for (const milestone_id of [1, undefined, 1])
    await call(createIssue, { id: 7, title: 'An issue', ...(milestone_id && { milestone_id }) }, OWNER);
  const milestoneOf = async (issue_iid: number) =>
    (await call(getIssue, { id: 7, issue_iid }, OWNER)).body.milestone;
  const listed = async (params: Record<string, unknown>) =>
    (await call(listProjectIssues, { id: 7, sort: 'asc', ...params }, OWNER)).body.map(
      ({ iid }: { iid: number }) => iid,
    );
  return { call, milestoneOf, listed };
}

test('an issue shows its milestone as it is now, until one of both ends', async () => {
  const { call, milestoneOf } = await started();
  expect(await milestoneOf(1)).toMatchObject({ id: 1, iid: 1, title: '1.0', project_id: 7, state: 'active' });
  expect(await milestoneOf(2)).toBeNull();
  await call(update, { id: 7, milestone_id: 1, title: '1.1', state_event: 'close' }, OWNER);
  expect(await milestoneOf(1)).toMatchObject({ title: '1.1', state: 'closed' });
  const cleared = await call(updateIssue, { id: 7, issue_iid: 3, milestone_id: 0 }, OWNER);
  expect(cleared).toMatchObject({
    body: { milestone: null },
    events: [{ data: { changes: { milestoneId: null }, previous: { milestoneId: 1 } } }],
  });
  await call(remove, { id: 7, milestone_id: 1 }, OWNER);
  expect(await milestoneOf(1)).toBeNull();
});

test('issues are found by the title of their milestone, with any and with none', async () => {
  const { call, listed } = await started();
  expect(await listed({ milestone: '1.0' })).toEqual([1, 3]);
  expect(await listed({ milestone: '2.0' })).toEqual([]);
  expect(await listed({ milestone: 'any' })).toEqual([1, 3]);
  expect(await listed({ milestone: 'None' })).toEqual([2]);
  expect(await listed({ 'not[milestone]': '1.0' })).toEqual([2]);
  await call(create, { id: 7, title: 'Next' }, OWNER);
  await call(updateIssue, { id: 7, issue_iid: 3, milestone_id: 3 }, OWNER);
  await call(remove, { id: 7, milestone_id: 1 }, OWNER);
  expect(await listed({ milestone: 'Any' })).toEqual([3]);
  expect(await listed({ milestone: 'None' })).toEqual([1, 2]);
});

test('a milestone of another place is none that could be given', async () => {
  const { call } = await started();
  for (const milestone_id of [2, 99])
    expect(await call(updateIssue, { id: 7, issue_iid: 1, milestone_id }, OWNER)).toMatchObject({
      ...{ status: 400, body: { message: { milestone_id: ['is invalid'] } }, events: [] },
    });
});
