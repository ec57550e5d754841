import {
  listEvents,
  listProjectEvents,
  listUserEvents,
} from '@forgelog/contracts/tracker/activity-events/activity-event.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { discussionSlice } from '../discussions/discussion.slice.ts';
import { issueSlice } from '../issues/issue.slice.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { inIssue, issueOpened, issueUpdated } from '../testing/issue-events.ts';
import { inDiscussion, noteStarted } from '../testing/note-events.ts';
import { activityEventSlice } from './activity-event.slice.ts';

const OWNER = 1;
const REPORTER = 2;
const STRANGER = 3;
const slices = [issueSlice, discussionSlice([issueTarget]), activityEventSlice([issueTarget])];
const given = [
  ...[OWNER, REPORTER, STRANGER].map((id) => userCreated(id)),
  projectCreated(7, { visibility: 'public' }),
  memberAdded(7, REPORTER, 20),
  inIssue(issueOpened(1)),
  inDiscussion(noteStarted(1, { authorId: STRANGER })),
  inIssue(issueUpdated(1, { title: 'Renamed' })),
];
const inProject = { project_id: 7, sort: 'asc' };

test('an event shows its note and its target as they are now', async () => {
  const { call } = await startSlices(slices, given);
  const { status, body } = await call(listProjectEvents, { ...inProject, target_type: 'note' }, null);
  expect(status).toBe(200);
  expect(body).toMatchObject([
    {
      action_name: 'commented on',
      target_type: 'Note',
      target_title: 'Renamed',
      author_username: 'user3',
      note: { id: 1, body: 'Note 1', noteable_type: 'Issue', noteable_iid: 1 },
    },
  ]);
  const opened = await call(listProjectEvents, { ...inProject, target_type: 'issue' }, null);
  expect(opened.body).toMatchObject([
    { action_name: 'opened', target_type: 'Issue', target_id: 71, target_iid: 1, target_title: 'Renamed' },
  ]);
});

test('a caller reads their own events, and those of others where they may', async () => {
  const { call } = await startSlices(slices, given);
  const names = async (...args: Parameters<typeof call>) =>
    (await call(...args)).body.map(({ action_name }: { action_name: string }) => action_name);
  expect(await names(listEvents, {}, STRANGER)).toEqual(['commented on']);
  expect(await names(listUserEvents, { id: 'user3' }, null)).toEqual(['commented on']);
  expect((await call(listEvents, {}, null)).status).toBe(401);
  expect((await call(listUserEvents, { id: 'nobody' }, null)).status).toBe(404);
  expect((await call(listProjectEvents, { project_id: 8 }, REPORTER)).status).toBe(404);
});

test('what is told of a confidential issue is for its readers', async () => {
  const { call } = await startSlices(slices, [...given, inIssue(issueUpdated(1, { confidential: true }))]);
  const count = async (caller: number | null) =>
    (await call(listProjectEvents, inProject, caller)).body.filter(
      ({ target_title }: { target_title: string }) => target_title === 'Renamed',
    ).length;
  expect([await count(OWNER), await count(REPORTER), await count(STRANGER), await count(null)]).toEqual([
    2, 2, 0, 0,
  ]);
});
