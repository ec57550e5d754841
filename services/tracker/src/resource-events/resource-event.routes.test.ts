import { createIssue, updateIssue } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { projectLabels } from '@forgelog/contracts/tracker/labels/label.api.ts';
import { projectMilestones } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import { issueResourceEvents } from '@forgelog/contracts/tracker/resource-events/resource-event.api.ts';
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
import { issueTarget } from '../issues/issue.target.ts';
import { labelSlice } from '../labels/label.slice.ts';
import { milestoneSlice } from '../milestones/milestone.slice.ts';
import { inIssue, issueOpened } from '../testing/issue-events.ts';
import { resourceEventSlice } from './resource-event.slice.ts';

const OWNER = 1;
const GUEST = 2;
const given = [
  ...[userCreated(OWNER), userCreated(GUEST)],
  ...[projectCreated(7, { visibility: 'public' }), memberAdded(7, GUEST, 10)],
  inIssue(issueOpened(9, { confidential: true, labelIds: [404], labels: ['gone'] })),
];
const one = { id: 7, issue_iid: 1 };
const { state, label, milestone, weight } = issueResourceEvents;

async function started() {
  const slices = [issueSlice, labelSlice, milestoneSlice, resourceEventSlice([issueTarget])];
  const { call, ports } = await startSlices(slices, given);
  await call(createIssue, { id: 7, iid: 1, title: 'One', labels: 'bug' }, OWNER);
  return { call, ports };
}

test('a label that comes and goes is told with who did it, and is null after its end', async () => {
  const { call } = await started();
  await call(updateIssue, { ...one, remove_labels: 'bug' }, OWNER);
  const { body } = await call(label.list, one, null);
  const about = { user: { id: OWNER }, resource_type: 'Issue', label: { name: 'bug', description: null } };
  expect(body).toMatchObject([
    { ...about, action: 'add', label: { color: expect.stringMatching(/^#/) } },
    { ...about, action: 'remove' },
  ]);
  const { body: single } = await call(label.get, { ...one, event_id: body[1].id }, null);
  expect(single).toEqual(body[1]);
  await call(projectLabels.delete, { id: 7, label_id: 'bug' }, OWNER);
  const after = await call(label.list, one, null);
  expect(after.body.map((event: { label: unknown }) => event.label)).toEqual([null, null]);
});

test('states and milestones have lists of their own, and an id is one of its list', async () => {
  const { call } = await started();
  const { body: made } = await call(projectMilestones.create, { id: 7, title: '1.0' }, OWNER);
  await call(updateIssue, { ...one, milestone_id: made.id, state_event: 'close' }, OWNER);
  await call(updateIssue, { ...one, milestone_id: 0, state_event: 'reopen' }, OWNER);
  const { body: states } = await call(state.list, one, GUEST);
  expect(states).toMatchObject([{ state: 'closed', user: { id: OWNER } }, { state: 'reopened' }]);
  const { body: milestones } = await call(milestone.list, one, GUEST);
  expect(milestones).toMatchObject([
    { action: 'add', milestone: { title: '1.0', iid: 1 } },
    { action: 'remove', milestone: { id: made.id } },
  ]);
  expect((await call(milestone.get, { ...one, event_id: milestones[0].id }, null)).status).toBe(200);
  for (const event_id of [states[0].id, 0, 999])
    expect(await call(milestone.get, { ...one, event_id }, OWNER)).toMatchObject({
      ...{ status: 404, body: { message: '404 Not found' } },
    });
  const page = await call(state.list, { ...one, per_page: 1, page: 2 }, null);
  expect(page.body).toMatchObject([{ state: 'reopened' }]);
});

test('a weight is told with each of its values, and none is null', async () => {
  const { call } = await started();
  for (const value of [0, 5, 5, null]) await call(updateIssue, { ...one, weight: value }, OWNER);
  const { body } = await call(weight.list, one, GUEST);
  expect(body).toMatchObject([0, 5, null].map((weight) => ({ user: { id: OWNER }, weight })));
  expect((await call(weight.get, { ...one, event_id: body[2].id }, null)).body).toEqual(body[2]);
  expect((await call(weight.list, { id: 7, issue_iid: 9 }, GUEST)).status).toBe(404);
});

test('what happened to a confidential issue is for those who see it', async () => {
  const { call } = await started();
  const hidden = { id: 7, issue_iid: 9 };
  const { body } = await call(label.list, hidden, OWNER);
  expect(body).toMatchObject([{ action: 'add', label: null }]);
  for (const as of [GUEST, null]) {
    expect((await call(label.list, hidden, as)).status).toBe(404);
    expect((await call(label.get, { ...hidden, event_id: body[0].id }, as)).status).toBe(404);
    expect((await call(label.get, { ...one, event_id: body[0].id }, as)).status).toBe(404);
  }
});

test('a label of a place that the reader does not see has no name', async () => {
  const labelCreated = {
    type: 'LabelCreated',
    data: {
      ...{ labelId: 5, projectId: null, groupId: 50, title: 'secret', color: '#d9534f' },
      ...{ description: null, priority: null, confidential: false },
    },
  };
  const moved = [
    ...[groupCreated(50), groupMemberAdded(50, OWNER, 50), on('labels-group-50', labelCreated)],
    inIssue(issueOpened(8, { labelIds: [5], labels: ['secret'] })),
  ];
  const slices = [issueSlice, labelSlice, milestoneSlice, resourceEventSlice([issueTarget])];
  const { call } = await startSlices(slices, [...given, ...moved]);
  const named = async (as: number | null) =>
    (await call(label.list, { id: 7, issue_iid: 8 }, as)).body[0].label?.name ?? null;
  expect([await named(OWNER), await named(GUEST), await named(null)]).toEqual(['secret', null, null]);
});
