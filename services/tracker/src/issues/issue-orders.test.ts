import {
  createIssue,
  listGroupIssues,
  listIssues,
  listProjectIssues,
  reorderIssue,
} from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { projectLabels } from '@forgelog/contracts/tracker/labels/label.api.ts';
import { projectMilestones } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import {
  groupCreated,
  groupMemberAdded,
  on,
  projectCreated,
  userCreated,
} from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { labelSlice } from '../labels/label.slice.ts';
import { milestoneSlice } from '../milestones/milestone.slice.ts';
import { issueSlice } from './issue.slice.ts';

const OWNER = 1;
const GUEST = 2;
const inGroup = projectCreated(7);
const given = [
  ...[userCreated(OWNER), userCreated(GUEST), groupCreated(3), groupMemberAdded(3, OWNER, 50)],
  groupMemberAdded(3, GUEST, 10),
  on(inGroup.stream, {
    ...inGroup.event,
    data: { ...(inGroup.event.data as object), namespaceId: 3, ownerId: null, fullPath: 'group3/project7' },
  }),
];

async function started() {
  const { call } = await startSlices([issueSlice, labelSlice, milestoneSlice], given);
  const idOf = new Map<string, number>();
  const open = async (title: string, more: object = {}) => {
    const { body } = await call(createIssue, { id: 7, title, ...more }, OWNER);
    idOf.set(title, body.id);
    return body;
  };
  const titles = (body: { title: string }[]) => body.map(({ title }) => title).join('');
  /** In pages of two, which are the same on all three levels. */
  async function ordered(order: object): Promise<string> {
    const seen = new Set<string>();
    for (const [endpoint, at] of [
      [listIssues, { scope: 'all' }],
      [listGroupIssues, { id: 3 }],
      [listProjectIssues, { id: 7 }],
    ] as const) {
      let byNumber = '';
      for (let page = 1; page < 9; page += 1)
        byNumber += titles((await call(endpoint, { ...at, ...order, page, per_page: 2 }, OWNER)).body);
      seen.add(byNumber);
    }
    expect(seen.size).toBe(1);
    return [...seen][0]!;
  }
  const move = (title: string, where: object, as = OWNER) =>
    call(reorderIssue, { id: 7, issue_iid: [...idOf.keys()].indexOf(title) + 1, ...where }, as);
  return { call, open, ordered, move, idOf };
}

test('issues are in the order of their numbers, and where people move them', async () => {
  const { open, ordered, move, idOf } = await started();
  for (const title of 'ABCD') await open(title);
  const order = { order_by: 'relative_position', sort: 'asc' };
  expect(await ordered(order)).toBe('ABCD');
  const moved = await move('D', { move_after_id: idOf.get('A') });
  expect(moved).toMatchObject({
    ...{ status: 200, body: { title: 'D' } },
    events: [{ type: 'IssueReordered', data: { iid: 4, previous: { relativePosition: null } } }],
  });
  expect(await ordered(order)).toBe('DABC');
  await move('A', { move_before_id: idOf.get('C') });
  expect(await ordered(order)).toBe('DBCA');
  await move('C', { move_before_id: idOf.get('D'), move_after_id: idOf.get('B') });
  expect(await ordered(order)).toBe('DCBA');
  // Both ends in either order.
  await move('A', { move_before_id: idOf.get('C'), move_after_id: idOf.get('D') });
  expect(await ordered(order)).toBe('DACB');
  // What is opened now is behind all.
  await open('E');
  await move('D', { move_before_id: idOf.get('E') });
  await open('F');
  expect(await ordered(order)).toBe('ACBEDF');
  expect(await ordered({ ...order, sort: 'desc' })).toBe('FDEBCA');
});

test('nothing is moved to itself, to what is not there or not seen, by a guest, or without a neighbour', async () => {
  const { open, move, idOf } = await started();
  for (const title of 'AB') await open(title);
  const refused = [
    await move('A', { move_after_id: idOf.get('A') }),
    await move('A', { move_after_id: 404 }),
    await move('A', {}),
    await move('A', { move_after_id: idOf.get('B') }, GUEST),
  ];
  expect(refused.map(({ status, events }) => [status, events.length])).toEqual([
    ...[404, 404, 400, 403].map((status) => [status, 0]),
  ]);
});

test('the day of the milestone, the priority of labels, and both are orders; what has none comes last', async () => {
  const { call, open, ordered } = await started();
  const milestones = new Map<string, number>();
  for (const [title, due_date] of [
    ['soon', '2030-01-01'],
    ['later', '2030-02-01'],
    ['never', undefined],
  ] as const)
    milestones.set(title, (await call(projectMilestones.create, { id: 7, title, due_date }, OWNER)).body.id);
  const sameDay = { id: 7, title: 'also soon', due_date: '2030-01-01' };
  milestones.set('also', (await call(projectMilestones.create, sameDay, OWNER)).body.id);
  for (const [name, priority] of [
    ['urgent', 1],
    ['minor', 5],
    ['plain', null],
  ] as const)
    await call(projectLabels.create, { id: 7, name, color: '#ff0000', priority }, OWNER);
  const created_at = (day: number) => `2029-01-0${day}T00:00:00Z`;
  const due = (name: string) => ({ milestone_id: milestones.get(name) });
  await open('A', { created_at: created_at(1), labels: 'minor', ...due('later') });
  await open('B', { created_at: created_at(2), labels: 'urgent,minor', ...due('never') });
  await open('C', { created_at: created_at(3), labels: 'plain', ...due('soon') });
  await open('D', { created_at: created_at(4), labels: 'urgent', ...due('also') });
  await open('E', { created_at: created_at(5) });
  await open('F', { created_at: created_at(6), labels: 'minor', ...due('soon') });
  const orders = {
    'milestone_due asc': 'CDFABE',
    'milestone_due desc': 'AFDCEB',
    'label_priority asc': 'BDAFCE',
    'label_priority desc': 'FADBEC',
    'priority asc': 'DFCABE',
    'priority desc': 'AFDCBE',
  };
  const found: Record<string, string> = {};
  for (const order of Object.keys(orders)) {
    const [order_by, sort] = order.split(' ');
    found[order] = await ordered({ order_by, sort });
  }
  expect(found).toEqual(orders);
  // Filters and orders go together, and a change of the plan is a change of the order.
  await call(
    projectMilestones.update,
    { id: 7, milestone_id: milestones.get('later'), due_date: '2029-12-01' },
    OWNER,
  );
  expect(await ordered({ order_by: 'milestone_due', sort: 'asc', labels: 'minor' })).toBe('AFB');
});
