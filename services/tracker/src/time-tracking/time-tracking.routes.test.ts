import { issueTimeTracking } from '@forgelog/contracts/tracker/time-tracking/time-tracking.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { issueSlice } from '../issues/issue.slice.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { inIssue, issueOpened } from '../testing/issue-events.ts';
import { timeTrackingSlice } from './time-tracking.slice.ts';

const REPORTER = 2;
const GUEST = 3;
const slices = [issueSlice, timeTrackingSlice([issueTarget])];
const given = [
  ...[1, REPORTER, GUEST].map((id) => userCreated(id)),
  projectCreated(7),
  memberAdded(7, REPORTER, 20),
  memberAdded(7, GUEST, 10),
  inIssue(issueOpened(1)),
  inIssue(issueOpened(2, { confidential: true })),
];
const onIssue = { id: 7, issue_iid: 1 };

test('a reporter estimates, books and resets, and everybody reads the sums', async () => {
  const { call } = await startSlices(slices, given);
  expect(await call(issueTimeTracking.setEstimate, { ...onIssue, duration: '1d' }, REPORTER)).toMatchObject({
    status: 200,
    body: { time_estimate: 28_800, human_time_estimate: '1d' },
    events: [{ type: 'IssueTimeEstimateSet', data: { issueId: 71, seconds: 28_800 } }],
  });
  for (const duration of ['1h 30m', '-30m'])
    await call(issueTimeTracking.addSpent, { ...onIssue, duration, summary: 'Looked' }, REPORTER);
  const stats = { time_estimate: 28_800, total_time_spent: 3600, human_total_time_spent: '1h' };
  expect((await call(issueTimeTracking.stats, onIssue, GUEST)).body).toMatchObject(stats);
  await call(issueTimeTracking.resetEstimate, onIssue, REPORTER);
  expect(await call(issueTimeTracking.resetSpent, onIssue, REPORTER)).toMatchObject({
    body: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null },
    events: [{ type: 'IssueTimeSpentReset' }],
  });
});

test('a guest books nothing, and reads nothing of a confidential issue', async () => {
  const { call } = await startSlices(slices, given);
  expect((await call(issueTimeTracking.resetSpent, onIssue, GUEST)).status).toBe(403);
  expect((await call(issueTimeTracking.stats, { ...onIssue, issue_iid: 2 }, GUEST)).status).toBe(404);
  expect((await call(issueTimeTracking.stats, { ...onIssue, issue_iid: 2 }, REPORTER)).status).toBe(200);
});

test('what is no duration, too much, or on no issue changes nothing', async () => {
  const { call } = await startSlices(slices, given);
  const add = (duration: string, iid = 1) =>
    call(issueTimeTracking.addSpent, { id: 7, issue_iid: iid, duration }, REPORTER);
  expect(await add('soon')).toMatchObject({
    status: 400,
    body: { error: 'duration is invalid' },
    events: [],
  });
  expect(await add('-1h')).toMatchObject({ status: 400, events: [] });
  expect(await add('99999mo')).toMatchObject({ status: 400, events: [] });
  expect(await add('1h', 9)).toMatchObject({ status: 404, events: [] });
});
