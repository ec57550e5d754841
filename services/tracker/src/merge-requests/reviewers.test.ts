import { mergeRequestNotes } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import { approveMergeRequest } from '@forgelog/contracts/tracker/merge-requests/approval.api.ts';
import { updateMergeRequest } from '@forgelog/contracts/tracker/merge-requests/merge-request.api.ts';
import { listMergeRequestReviewers } from '@forgelog/contracts/tracker/merge-requests/merge-request-content.api.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { discussionSlice } from '../discussions/discussion.slice.ts';
import {
  branchMoved,
  inMergeRequest,
  inRepository,
  mergeRequestCreated,
  shaOf,
} from '../testing/merge-request-events.ts';
import { mergesSlice } from '../testing/merges.slice.ts';
import { mergeRequestSlice } from './merge-request.slice.ts';
import { mergeRequestTarget } from './merge-request.target.ts';

const one = { id: 7, merge_request_iid: 1 };

async function start(reviewerIds: number[]) {
  const { slice, repository } = mergesSlice();
  repository.tips.set('7/topic1', shaOf(1));
  const tips = [inRepository(branchMoved('main', shaOf(9))), inRepository(branchMoved('topic1', shaOf(1)))];
  const created = inMergeRequest(mergeRequestCreated(1, { reviewerIds }));
  const { call } = await startSlices(
    [mergeRequestSlice, discussionSlice([mergeRequestTarget]), slice],
    [...team, ...tips, created],
  );
  const statesFor = async (user: number) => {
    const { body } = await call(listMergeRequestReviewers, one, user);
    return body.map(({ user, state }: { user: { id: number }; state: string }) => [user.id, state]);
  };
  return { call, statesFor };
}

test('a reviewer has reviewed who has commented or approved', async () => {
  const { call, statesFor } = await start([OWNER, DEVELOPER, REPORTER]);
  expect(await statesFor(REPORTER)).toEqual([
    [OWNER, 'unreviewed'],
    [DEVELOPER, 'unreviewed'],
    [REPORTER, 'unreviewed'],
  ]);
  await call(mergeRequestNotes.create, { ...one, body: 'Why?' }, REPORTER);
  await call(approveMergeRequest, one, DEVELOPER);
  expect(await statesFor(REPORTER)).toEqual([
    [OWNER, 'unreviewed'],
    [DEVELOPER, 'reviewed'],
    [REPORTER, 'reviewed'],
  ]);
  expect((await call(listMergeRequestReviewers, one, OUTSIDER)).status).toBe(404);
});

test('a reviewer who is asked again begins anew, and one who stays keeps their time', async () => {
  const { call, statesFor } = await start([DEVELOPER]);
  const [first] = (await call(listMergeRequestReviewers, one, OWNER)).body;
  expect(first).toMatchObject({ user: { username: 'user2' }, state: 'unreviewed' });
  await call(mergeRequestNotes.create, { ...one, body: 'Why?' }, DEVELOPER);
  await call(updateMergeRequest, { ...one, title: 'Renamed' }, OWNER);
  expect((await call(listMergeRequestReviewers, one, OWNER)).body).toMatchObject([
    { created_at: first.created_at, state: 'reviewed' },
  ]);
  await call(updateMergeRequest, { ...one, reviewer_ids: [REPORTER] }, OWNER);
  await call(updateMergeRequest, { ...one, reviewer_ids: [DEVELOPER] }, OWNER);
  expect(await statesFor(OWNER)).toEqual([[DEVELOPER, 'unreviewed']]);
});
