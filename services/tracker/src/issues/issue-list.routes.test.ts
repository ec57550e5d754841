import {
  createIssue,
  groupIssueStatistics,
  issueStatistics,
  listIssueParticipants,
  projectIssueStatistics,
  updateIssue,
} from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { projectMilestones } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import {
  groupMilestoneContents,
  projectMilestoneContents,
} from '@forgelog/contracts/tracker/milestones/milestone-content.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { labelSlice } from '../labels/label.slice.ts';
import { mergeRequestSlice } from '../merge-requests/merge-request.slice.ts';
import { milestoneSlice } from '../milestones/milestone.slice.ts';
import { issueSlice } from './issue.slice.ts';

const [OWNER, REPORTER, GUEST, STRANGER] = [1, 2, 3, 4];
const given = [
  ...[OWNER, REPORTER, GUEST, STRANGER].map((id) => userCreated(id)),
  ...[projectCreated(7, { visibility: 'public' }), projectCreated(8)],
  ...[memberAdded(7, REPORTER, 20), memberAdded(7, GUEST, 10)],
];
const started = () => startSlices([issueSlice, labelSlice, milestoneSlice, mergeRequestSlice], given);
type Call = Awaited<ReturnType<typeof started>>['call'];

async function openSome(call: Call): Promise<void> {
  for (const more of [
    { title: 'open', labels: ['bug'] },
    { title: 'closed', labels: ['bug'] },
    { title: 'secret', confidential: true, labels: ['bug'] },
  ])
    await call(createIssue, { id: 7, ...more }, REPORTER);
  await call(updateIssue, { id: 7, issue_iid: 2, state_event: 'close' }, REPORTER);
  await call(createIssue, { id: 8, title: 'elsewhere' }, OWNER);
}

test('statistics count what the caller may see, by the filters of the list', async () => {
  const { call } = await started();
  await openSome(call);
  const counts = async (
    endpoint: typeof issueStatistics | typeof projectIssueStatistics,
    more: object,
    as: number | null,
  ) =>
    (await call(endpoint, { ...(endpoint === issueStatistics ? {} : { id: 7 }), ...more }, as)).body
      .statistics?.counts;
  expect(await counts(projectIssueStatistics, {}, REPORTER)).toEqual({ all: 3, closed: 1, opened: 2 });
  expect(await counts(projectIssueStatistics, {}, null)).toEqual({ all: 2, closed: 1, opened: 1 });
  expect(await counts(projectIssueStatistics, { search: 'open' }, GUEST)).toEqual({
    ...{ all: 1, closed: 0, opened: 1 },
  });
  expect(await counts(projectIssueStatistics, { labels: ['none'] }, OWNER)).toEqual({
    ...{ all: 0, closed: 0, opened: 0 },
  });
  expect(await counts(issueStatistics, {}, REPORTER)).toEqual({ all: 3, closed: 1, opened: 2 });
  expect(await counts(issueStatistics, {}, OWNER)).toEqual({ all: 1, closed: 0, opened: 1 });
  expect(await counts(issueStatistics, { scope: 'all' }, STRANGER)).toEqual({ all: 2, closed: 1, opened: 1 });
  expect((await call(issueStatistics, {}, null)).status).toBe(401);
  expect((await call(groupIssueStatistics, { id: 99 }, OWNER)).status).toBe(404);
});

test('a milestone tells the issues that it was given to, as far as the caller may see them', async () => {
  const { call } = await started();
  await openSome(call);
  const { body: milestone } = await call(projectMilestones.create, { id: 7, title: '1.0' }, REPORTER);
  for (const issue_iid of [1, 3])
    await call(updateIssue, { id: 7, issue_iid, milestone_id: milestone.id }, REPORTER);
  const one = { id: 7, milestone_id: milestone.id };
  const titles = async (as: number | null) =>
    (await call(projectMilestoneContents.issues, one, as)).body.map(({ title }: { title: string }) => title);
  expect(await titles(REPORTER)).toEqual(['secret', 'open']);
  expect(await titles(null)).toEqual(['open']);
  expect((await call(projectMilestoneContents.mergeRequests, one, REPORTER)).body).toEqual([]);
  for (const wrong of [{ id: 8 }, { milestone_id: 99 }])
    expect((await call(projectMilestoneContents.issues, { ...one, ...wrong }, OWNER)).status).toBe(404);
  expect((await call(groupMilestoneContents.issues, { ...one, id: 99 }, OWNER)).status).toBe(404);
});

test('participants of an issue are who opened it and who is to act on it', async () => {
  const { call } = await started();
  await openSome(call);
  await call(updateIssue, { id: 7, issue_iid: 1, assignee_ids: [OWNER] }, REPORTER);
  const ids = async (issue_iid: number, as: number | null) => {
    const { status, body } = await call(listIssueParticipants, { id: 7, issue_iid }, as);
    return status === 200 ? body.map(({ id }: { id: number }) => id) : status;
  };
  expect(await ids(1, null)).toEqual([OWNER, REPORTER]);
  expect(await ids(3, GUEST)).toBe(404);
});
