import { issueDiscussions } from '@forgelog/contracts/tracker/discussions/discussion.api.ts';
import { issueNotes } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import {
  cloneIssue,
  getIssue,
  moveIssue,
  updateIssue,
} from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { ISSUE_CLOSED, type IssueEvent } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { type RecordedEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { memberAdded, on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { discussionSlice } from '../discussions/discussion.slice.ts';
import { labelSlice } from '../labels/label.slice.ts';
import { milestoneSlice } from '../milestones/milestone.slice.ts';
import { inIssue, issueDeleted, issueOpened } from '../testing/issue-events.ts';
import { issueSlice } from './issue.slice.ts';
import { issueTarget } from './issue.target.ts';
import { issueCopyPolicy } from './issue-copy.policy.ts';

const OWNER = 1;
const REPORTER = 2;
const GUEST = 3;
const upload = '/uploads/66dbcd21ec5d24ed6ea225176098d52b/a.png';
const label = (labelId: number, projectId: number, title: string) =>
  on(`labels-project-${projectId}`, {
    type: 'LabelCreated',
    data: {
      ...{ labelId, projectId, groupId: null, title, color: '#d9534f' },
      ...{ description: null, priority: null, confidential: false },
    },
  });
const milestone = (milestoneId: number, projectId: number) =>
  on(`milestones-project-${projectId}`, {
    type: 'MilestoneCreated',
    data: {
      ...{ milestoneId, projectId, groupId: null, iid: 1, title: '1.0', description: null },
      ...{ startDate: null, dueDate: null, state: 'active' },
    },
  });
const written = issueOpened(1, {
  ...{ title: 'Stops', description: `See ![a](${upload})`, authorId: REPORTER, assigneeIds: [OWNER, GUEST] },
  ...{ labels: ['bug', 'own'], labelIds: [4, 5], milestoneId: 6, createdAt: '2029-01-01T00:00:00.000Z' },
});
const given = [
  ...[OWNER, REPORTER, GUEST].map((id) => userCreated(id)),
  ...[projectCreated(7, { visibility: 'public' }), projectCreated(8), projectCreated(9)],
  ...[memberAdded(7, REPORTER, 20), memberAdded(7, GUEST, 10), memberAdded(8, REPORTER, 20)],
  memberAdded(9, REPORTER, 10),
  ...[label(4, 7, 'bug'), label(5, 7, 'own'), label(14, 8, 'bug'), milestone(6, 7), milestone(16, 8)],
  inIssue(written),
];
const from = { id: 7, issue_iid: 1 };

async function started(more: typeof given = []) {
  const slices = [issueSlice, labelSlice, milestoneSlice, discussionSlice([issueTarget])];
  const running = await startSlices(slices, [...given, ...more]);
  const said = async (id: number, iid: number, as = OWNER) =>
    (
      await running.call(
        issueNotes.list,
        { ...{ id, issue_iid: iid, sort: 'asc' }, activity_filter: 'only_comments' },
        as,
      )
    ).body;
  return { ...running, said };
}

test('a moved issue goes on elsewhere, with its author, times, discussions and what has the same titles', async () => {
  const { call, said } = await started();
  const thread = (await call(issueDiscussions.start, { ...from, body: 'When?' }, GUEST)).body;
  await call(issueDiscussions.reply, { ...from, discussion_id: thread.id, body: `At ${upload}` }, OWNER);
  await call(issueNotes.create, { ...from, body: 'Psst', confidential: true }, REPORTER);
  await call(updateIssue, { ...from, discussion_locked: true }, OWNER);
  const before = await said(7, 1);

  const { status, body: moved } = await call(moveIssue, { ...from, to_project_id: 8 }, REPORTER);
  expect(status).toBe(201);
  expect(moved).toMatchObject({
    ...{ iid: 1, project_id: 8, title: 'Stops', author: { id: REPORTER }, state: 'opened' },
    description: `See ![a](/-/project/7${upload})`,
    ...{ labels: ['bug'], milestone: { id: 16 }, created_at: '2029-01-01T00:00:00.000Z' },
    ...{ discussion_locked: true, user_notes_count: 2, moved_to_id: null },
  });
  // Who does not see the other project is not assigned there.
  expect(moved.assignees.map(({ id }: { id: number }) => id)).toEqual([OWNER]);
  const after = await said(8, 1);
  const essence = ({ body, author, created_at, confidential, type }: (typeof after)[0]) => ({
    ...{ author: author.id, created_at, confidential, type },
    body: body.replace('/-/project/7', ''),
  });
  expect(after.map(essence)).toEqual(before.map(essence));
  expect(after.map(({ id }: { id: number }) => id)).not.toEqual(before.map(({ id }: { id: number }) => id));

  const old = (await call(getIssue, from, REPORTER)).body;
  expect(old).toMatchObject({ state: 'closed', moved_to_id: moved.id, closed_by: { id: REPORTER } });
  // The other project is private.
  expect((await call(getIssue, from, null)).body.moved_to_id).toBeNull();
  const twice = await call(moveIssue, { ...from, to_project_id: 8 }, REPORTER);
  expect(twice).toMatchObject({
    ...{ status: 400, body: { message: 'Cannot move issue due to insufficient permissions!' }, events: [] },
  });
});

test('a clone is an issue of the caller, and has the discussions where they are wanted', async () => {
  const { call, said } = await started();
  await call(issueNotes.create, { ...from, body: 'Soon.' }, GUEST);
  const { body: bare } = await call(cloneIssue, { ...from, to_project_id: 7 }, REPORTER);
  expect(bare).toMatchObject({ iid: 2, project_id: 7, author: { id: REPORTER }, user_notes_count: 0 });
  expect(bare.created_at).not.toBe(written.data.createdAt);
  expect(bare.labels).toEqual(['bug', 'own']);
  await call(cloneIssue, { ...from, to_project_id: 8, with_notes: true }, REPORTER);
  expect(await said(8, 1)).toMatchObject([{ body: 'Soon.', author: { id: GUEST } }]);
  expect((await call(getIssue, from, OWNER)).body).toMatchObject({ state: 'opened', moved_to_id: null });
});

test('it needs a reporter in both projects, and does not tell of hidden ones', async () => {
  const { call } = await started();
  const to = (endpoint: typeof moveIssue | typeof cloneIssue, id: number, as: number | null) =>
    call(endpoint, { ...from, to_project_id: id }, as);
  for (const [endpoint, word] of [
    [moveIssue, 'move'],
    [cloneIssue, 'clone'],
  ] as const) {
    expect((await to(endpoint, 8, null)).status).toBe(401);
    expect(await to(endpoint, 8, GUEST)).toMatchObject({ status: 403, events: [] });
    for (const hidden of [10, 0])
      expect(await to(endpoint, hidden, REPORTER)).toMatchObject({
        ...{ status: 404, body: { message: '404 Project Not Found' }, events: [] },
      });
    expect(await to(endpoint, 9, REPORTER)).toMatchObject({
      status: 400,
      body: { message: `Cannot ${word} issue due to insufficient permissions!` },
      events: [],
    });
  }
  expect(await to(moveIssue, 7, OWNER)).toMatchObject({
    ...{ status: 400, body: { message: 'Cannot move issue to project it originates from!' }, events: [] },
  });
});

test('of two moves at once one is left, and the other leaves nothing', async () => {
  const { call } = await started();
  const replies = await Promise.all(
    [8, 9].map((to_project_id) => call(moveIssue, { ...from, to_project_id }, OWNER)),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 400]);
  const { moved_to_id } = (await call(getIssue, from, OWNER)).body;
  const there = await Promise.all([8, 9].map((id) => call(getIssue, { id, issue_iid: 1 }, OWNER)));
  expect(there.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  expect(there.find(({ status }) => status === 200)!.body.id).toBe(moved_to_id);
});

const copied: Extract<IssueEvent, { type: 'IssueCopied' }> = {
  type: 'IssueCopied',
  data: {
    ...{ issueId: 88, projectId: 8, iid: 1, reason: 'moved', withNotes: true },
    ...{ originIssueId: 71, originProjectId: 7, originIid: 1 },
  },
};
const halfWay = [inIssue(issueOpened(1, { issueId: 88, projectId: 8 })), inIssue(copied)];
const recorded = {
  ...{
    ...copied,
    id: 'b3c1f0de-0000-4000-8000-000000000001',
    schemaVersion: 1,
    time: '2030-01-01T00:00:00.000Z',
  },
  ...{ stream: 'issue-8-1', revision: 1, position: '2', metadata: { ...SYSTEM_METADATA, actorId: REPORTER } },
} as RecordedEvent;

test('a move that was interrupted is made whole, once', async () => {
  const { call, ports, said } = await started(halfWay);
  for (const body of ['One', 'Two']) await call(issueNotes.create, { ...from, body }, GUEST);
  const policy = issueCopyPolicy(ports);
  for (const _ of [1, 2]) await policy.react(recorded, new AbortController().signal);
  expect((await call(getIssue, from, OWNER)).body).toMatchObject({ state: 'closed', moved_to_id: 88 });
  expect(await said(8, 1)).toMatchObject([{ body: 'One' }, { body: 'Two' }]);
});

test('a move that was interrupted and lost to another one is taken back', async () => {
  const elsewhere: IssueEvent = {
    type: 'IssueMoved',
    data: {
      ...{ issueId: 71, projectId: 7, iid: 1, toProjectId: 9, toIid: 1 },
      ...{ changes: { movedToId: 99 }, previous: { movedToId: null } },
    },
  };
  const closed: IssueEvent = {
    type: 'IssueClosed',
    data: { issueId: 71, projectId: 7, iid: 1, closedById: OWNER, ...ISSUE_CLOSED },
  };
  const { call, ports } = await started([...halfWay, inIssue(elsewhere), inIssue(closed)]);
  for (const _ of [1, 2]) await issueCopyPolicy(ports).react(recorded, new AbortController().signal);
  expect((await call(getIssue, { id: 8, issue_iid: 1 }, OWNER)).status).toBe(404);
});

test('an issue that was deleted after its copy was opened leaves the copy alone', async () => {
  const { call, ports } = await started([...halfWay, inIssue(issueDeleted(1))]);
  await issueCopyPolicy(ports).react(recorded, new AbortController().signal);
  expect((await call(getIssue, { id: 8, issue_iid: 1 }, OWNER)).status).toBe(200);
});
