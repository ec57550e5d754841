import { createIssue, updateIssue } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { groupMilestones, projectMilestones } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import {
  groupMilestoneContents,
  projectMilestoneContents,
} from '@forgelog/contracts/tracker/milestones/milestone-content.api.ts';
import {
  groupCreated,
  groupMemberAdded,
  on,
  projectCreated,
  userCreated,
} from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { issueSlice } from '../issues/issue.slice.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { labelSlice } from '../labels/label.slice.ts';
import { resourceEventSlice } from '../resource-events/resource-event.slice.ts';
import { milestoneSlice } from './milestone.slice.ts';

const OWNER = 1;
const inGroup = (id: number) => {
  const { stream, event } = projectCreated(id, { visibility: 'public' });
  const place = { namespaceId: 3, ownerId: null, fullPath: `group3/project${id}` };
  return on(stream, { ...event, data: { ...(event.data as object), ...place } });
};
const given = [
  ...[userCreated(OWNER), groupCreated(3, { visibility: 'public' }), groupMemberAdded(3, OWNER, 50)],
  ...[inGroup(7), inGroup(8)],
];
const slices = [issueSlice, milestoneSlice, labelSlice, resourceEventSlice([issueTarget])];

test('a chart has the events of the issues that the reader sees, by time, with their weights', async () => {
  const { call } = await startSlices(slices, given);
  const { body: milestone } = await call(groupMilestones.create, { id: 3, title: '1.0' }, OWNER);
  const { body: other } = await call(projectMilestones.create, { id: 7, title: 'Other' }, OWNER);
  const open = (id: number, more: object) =>
    call(createIssue, { id, title: 'x', milestone_id: milestone.id, ...more }, OWNER);
  await open(7, { weight: 2, created_at: '2030-01-01T00:00:00Z' });
  await open(8, { created_at: '2030-01-02T00:00:00Z' });
  await open(7, { weight: 9, confidential: true, created_at: '2030-01-03T00:00:00Z' });
  await open(7, { weight: 5, milestone_id: other.id });
  await open(7, { weight: 5 });
  await call(updateIssue, { id: 7, issue_iid: 4, milestone_id: 0 }, OWNER);
  for (const state_event of ['close', 'reopen', 'close'] as const)
    await call(updateIssue, { id: 7, issue_iid: 1, state_event }, OWNER);
  await call(updateIssue, { id: 7, issue_iid: 1, weight: 4 }, OWNER);
  const chart = async (as: number | null, more: object = {}) =>
    (
      await call(groupMilestoneContents.burndown, { id: 3, milestone_id: milestone.id, ...more }, as)
    ).body.map(({ action, weight }: { action: string; weight: number | null }) => `${action} ${weight}`);
  const changes = ['closed 4', 'reopened 4', 'closed 4'];
  // The clock of the test is before the years that were given.
  expect((await chart(OWNER)).toSorted()).toEqual(
    [...changes, 'created 4', 'created null', 'created 9'].toSorted(),
  );
  expect((await chart(null)).filter((event: string) => !event.startsWith('created'))).toEqual(changes);
  expect((await chart(null)).filter((event: string) => event.startsWith('created'))).toEqual([
    ...['created 4', 'created null'],
  ]);
  expect(await chart(null, { per_page: 2, page: 3 })).toHaveLength(1);
  const ofProject = { id: 7, milestone_id: other.id };
  expect((await call(projectMilestoneContents.burndown, ofProject, null)).body).toMatchObject([
    { action: 'created', weight: 5, created_at: expect.any(String) },
  ]);
  const absent = { id: 8, milestone_id: other.id };
  expect((await call(projectMilestoneContents.burndown, absent, OWNER)).status).toBe(404);
});
