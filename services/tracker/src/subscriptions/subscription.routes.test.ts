import { issueNotes } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import { getIssue } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { issueSubscriptions } from '@forgelog/contracts/tracker/subscriptions/subscription.api.ts';
import { projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { discussionSlice } from '../discussions/discussion.slice.ts';
import { issueSlice } from '../issues/issue.slice.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { inIssue, issueOpened } from '../testing/issue-events.ts';
import { subscriptionSlice } from './subscription.slice.ts';

const OWNER = 1;
const STRANGER = 2;
const MENTIONED = 3;
const slices = [issueSlice, discussionSlice([issueTarget]), subscriptionSlice([issueTarget])];
const given = [
  ...[OWNER, STRANGER, MENTIONED].map((id) => userCreated(id)),
  projectCreated(7, { visibility: 'public' }),
  inIssue(issueOpened(1, { description: 'Ask @User3, not `x@user2`' })),
  inIssue(issueOpened(2, { confidential: true })),
];
const one = { id: 7, issue_iid: 1 };
const { subscribe, unsubscribe } = issueSubscriptions;

test('whoever takes part is told, until they choose otherwise', async () => {
  const { call } = await startSlices(slices, given);
  const isTold = async (user: number | null) => (await call(getIssue, one, user)).body.subscribed;
  expect([await isTold(OWNER), await isTold(MENTIONED), await isTold(STRANGER), await isTold(null)]).toEqual([
    ...[true, true, false, false],
  ]);
  expect(await call(subscribe, one, OWNER)).toMatchObject({ status: 304, events: [] });
  expect(await call(unsubscribe, one, STRANGER)).toMatchObject({ status: 304, events: [] });
  expect(await call(unsubscribe, one, OWNER)).toMatchObject({
    status: 201,
    body: { iid: 1, subscribed: false },
    events: [{ type: 'SubscriptionChosen', data: { userId: OWNER, targetId: 71, subscribed: false } }],
  });
  await call(issueNotes.create, { ...one, body: 'What they write does not undo it' }, OWNER);
  expect(await isTold(OWNER)).toBe(false);
  expect(await call(subscribe, one, OWNER)).toMatchObject({ status: 201, body: { subscribed: true } });
  expect(await call(subscribe, one, STRANGER)).toMatchObject({ status: 201, body: { subscribed: true } });
  expect(await isTold(MENTIONED)).toBe(true);
});

test('only a note that everybody may read makes those take part whom it mentions', async () => {
  const { call } = await startSlices(slices, given);
  await call(issueNotes.create, { ...one, body: 'Secret, @user2', confidential: true }, OWNER);
  expect((await call(getIssue, one, STRANGER)).body.subscribed).toBe(false);
  await call(issueNotes.create, { ...one, body: 'Open, @user2' }, OWNER);
  expect((await call(getIssue, one, STRANGER)).body.subscribed).toBe(true);
});

test('a target that the caller may not read cannot be subscribed to', async () => {
  const { call } = await startSlices(slices, given);
  expect(await call(subscribe, { ...one, issue_iid: 2 }, STRANGER)).toMatchObject({
    status: 404,
    events: [],
  });
  expect(await call(subscribe, one, null)).toMatchObject({ status: 401, events: [] });
});
