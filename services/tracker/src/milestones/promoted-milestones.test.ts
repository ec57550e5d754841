import {
  createIssue,
  getIssue,
  listGroupIssues,
  listProjectIssues,
} from '@forgelog/contracts/tracker/issues/issue.api.ts';
import {
  groupMilestones,
  projectMilestones,
  promoteMilestone,
} from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import { describeMilestones } from '@forgelog/contracts/tracker/milestones/milestone.operations.ts';
import { groupMilestoneContents } from '@forgelog/contracts/tracker/milestones/milestone-content.api.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
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
import { issueSlice } from '../issues/issue.slice.ts';
import { milestoneSlice } from './milestone.slice.ts';

const OWNER = 1;
const MEMBER = 2;
const inGroup = (id: number) => {
  const { stream, event } = projectCreated(id);
  const place = { namespaceId: 3, ownerId: null, fullPath: `group3/project${id}` };
  return on(stream, { ...event, data: { ...(event.data as object), ...place } });
};
const given = [
  ...[userCreated(OWNER), userCreated(MEMBER), groupCreated(3), groupMemberAdded(3, OWNER, 50)],
  ...[inGroup(7), inGroup(8), projectCreated(9), memberAdded(7, MEMBER, 30)],
];

async function started(more: typeof given = []) {
  const { call, ports } = await startSlices([issueSlice, milestoneSlice], [...given, ...more]);
  const made = async (id: number, title: string, more: object = {}) =>
    (await call(projectMilestones.create, { id, title, ...more }, OWNER)).body.id as number;
  const open = (id: number, milestone_id?: number) =>
    call(createIssue, { id, title: `In ${id}`, ...(milestone_id && { milestone_id }) }, OWNER);
  return { call, ports, made, open };
}

test('a promoted milestone is one of the group, in place of all of its title below', async () => {
  const { call, ports, made, open } = await started();
  const [first, second] = [await made(7, '1.0', { due_date: '2030-01-01' }), await made(8, '1.0')];
  const other = await made(8, 'Other');
  for (const [id, milestone] of [[7, first], [7], [8, second], [8, other]] as const)
    await open(id, milestone);
  const promoted = await call(promoteMilestone, { id: 7, milestone_id: first }, OWNER);
  expect(promoted).toMatchObject({
    status: 200,
    body: { title: '1.0', due_date: '2030-01-01', group_id: 3, iid: 1, state: 'active' },
    events: [
      { type: 'MilestoneCreated', data: { groupId: 3 } },
      ...[second, first].map((milestoneId) => ({ type: 'MilestoneDeleted', data: { milestoneId } })),
    ],
  });
  const { id } = promoted.body;
  const milestoneOf = async (project: number) =>
    (await call(getIssue, { id: project, issue_iid: 1 }, OWNER)).body.milestone.id;
  expect([await milestoneOf(7), await milestoneOf(8)]).toEqual([id, id]);
  const count = async (
    endpoint: typeof listGroupIssues | typeof listProjectIssues,
    at: number,
    milestone: string,
  ) => (await call(endpoint, { id: at, milestone }, OWNER)).body.length;
  expect(await count(listGroupIssues, 3, '1.0')).toBe(2);
  expect(await count(listProjectIssues, 7, 'Any')).toBe(1);
  expect(await count(listProjectIssues, 7, 'None')).toBe(1);
  const within = await call(groupMilestoneContents.issues, { id: 3, milestone_id: id }, OWNER);
  expect(within.body).toHaveLength(2);
  expect((await call(projectMilestones.list, { id: 8 }, OWNER)).body).toMatchObject([{ id: other }]);
  expect((await call(projectMilestones.get, { id: 7, milestone_id: first }, OWNER)).status).toBe(404);
  // Releases keep the id that they were given.
  const principal = (await actingUser(ports.directory, OWNER))!;
  expect(await ports.operations.call(describeMilestones, { ids: [first] }, { principal })).toMatchObject({
    milestones: [{ askedId: first, milestone: { id, title: '1.0', issue_stats: { total: 2, closed: 0 } } }],
  });
  // Whoever ends it takes it from all.
  await call(groupMilestones.delete, { id: 3, milestone_id: id }, OWNER);
  expect((await call(getIssue, { id: 7, issue_iid: 1 }, OWNER)).body.milestone).toBeNull();
  expect(await count(listProjectIssues, 7, 'Any')).toBe(0);
});

test('a closed milestone is closed in the group as well, and is promoted once', async () => {
  const { call, made } = await started();
  const first = await made(7, '1.0');
  await call(projectMilestones.update, { id: 7, milestone_id: first, state_event: 'close' }, OWNER);
  const one = await call(promoteMilestone, { id: 7, milestone_id: first }, OWNER);
  expect(one.body).toMatchObject({ state: 'closed', group_id: 3 });
  expect((await call(promoteMilestone, { id: 7, milestone_id: first }, OWNER)).status).toBe(404);
});

test('there is nothing to promote to without a group, nor without rights in it', async () => {
  const { call, made } = await started();
  const [own, first] = [await made(9, '1.0'), await made(7, '1.0')];
  const refused = [
    await call(promoteMilestone, { id: 9, milestone_id: own }, OWNER),
    await call(promoteMilestone, { id: 7, milestone_id: first }, MEMBER),
    await call(promoteMilestone, { id: 7, milestone_id: own }, OWNER),
  ];
  expect(refused.map(({ status, events }) => [status, events.length])).toEqual([
    ...[400, 403, 404].map((status) => [status, 0]),
  ]);
});

test('a promotion that was interrupted goes on with the milestone that the group has by then', async () => {
  const created = (milestoneId: number, place: { projectId: number | null; groupId: number | null }) => ({
    type: 'MilestoneCreated',
    data: {
      ...{ milestoneId, ...place, iid: 1, title: '1.0', description: null },
      ...{ startDate: null, dueDate: null, state: 'active' },
    },
  });
  const { call } = await started([
    on('milestones-project-7', created(11, { projectId: 7, groupId: null })),
    on('milestones-group-3', created(12, { projectId: null, groupId: 3 })),
  ]);
  expect(await call(promoteMilestone, { id: 7, milestone_id: 11 }, OWNER)).toMatchObject({
    ...{ status: 200, body: { id: 12 } },
    events: [{ type: 'MilestoneDeleted', data: { milestoneId: 11, replacedById: 12 } }],
  });
});
