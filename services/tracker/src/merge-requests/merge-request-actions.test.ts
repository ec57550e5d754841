import { mergeRequestNotes } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import {
  createMergeRequest,
  getMergeRequest,
  updateMergeRequest,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.api.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { discussionSlice } from '../discussions/discussion.slice.ts';
import { issueSlice } from '../issues/issue.slice.ts';
import { labelSlice } from '../labels/label.slice.ts';
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

async function start(...more: Parameters<typeof startSlices>[1] & object) {
  const { slice, repository } = mergesSlice();
  const slices = [issueSlice, labelSlice, mergeRequestSlice, discussionSlice([mergeRequestTarget]), slice];
  const tips = ['main', 'topic', 'release', 'topic1'].map((name, at) =>
    inRepository(branchMoved(name, shaOf(9 - at))),
  );
  repository.tips.set('7/release', shaOf(7));
  repository.tips.set('7/topic1', shaOf(1));
  return startSlices(slices, [...team, ...tips, ...more]);
}

test('a merge request is opened as the commands in its text say', async () => {
  const { call } = await start();
  const description =
    'Rename it\n\n/draft\n/label ~bug\n/assign me\n/assign_reviewer @user1\n/target_branch release\n/spend 1h\n/merge';
  const branches = { id: 7, source_branch: 'topic', target_branch: 'main' };
  const opened = await call(createMergeRequest, { ...branches, title: 'Rename', description }, DEVELOPER);
  expect(opened).toMatchObject({
    status: 201,
    body: {
      ...{ title: 'Draft: Rename', description: 'Rename it', draft: true, target_branch: 'release' },
      ...{ labels: ['bug'], assignees: [{ id: DEVELOPER }], reviewers: [{ id: OWNER }], state: 'opened' },
      time_stats: { total_time_spent: 3600 },
    },
  });
  expect(opened.events.map(({ type }) => type)).toEqual([
    ...['LabelCreated', 'MergeRequestCreated', 'MergeRequestTimeSpentAdded'],
  ]);
});

test('commands of a note change it by one append, and approve it as the endpoint does', async () => {
  const { call } = await start(inMergeRequest(mergeRequestCreated(1, { authorId: DEVELOPER })));
  const say = async (body: string, user: number) => call(mergeRequestNotes.create, { ...one, body }, user);
  const changed = await say('/draft\n/target_branch release\n/reviewer me\n/due tomorrow', OWNER);
  expect(changed).toMatchObject({
    status: 202,
    body: {
      commands_changes: { target_branch: 'release', reviewer_ids: [OWNER] },
      summary: [
        'Marked this merge request as a draft. Set target branch to release. Assigned @user1 as reviewer. ' +
          'Could not apply due command.',
      ],
    },
    events: [{ type: 'MergeRequestUpdated' }],
  });
  const approved = await say('/ready\n/approve\n/approve', OWNER);
  expect(approved.body.summary).toEqual([
    'Marked this merge request as ready. Approved the current merge request. Could not apply approve command.',
  ]);
  expect(approved.events).toMatchObject([{ type: 'MergeRequestUpdated' }, { type: 'MergeRequestApproved' }]);
  expect(await say('/unapprove', OWNER)).toMatchObject({
    body: { summary: ['Unapproved the current merge request.'] },
  });
  expect((await call(getMergeRequest, one, OWNER)).body).toMatchObject({ draft: false });
});

test('whoever may not is told so, and nothing happens', async () => {
  const { call } = await start(inMergeRequest(mergeRequestCreated(1, { authorId: DEVELOPER })));
  const body = '/approve\n/close\n/label x\n/target_branch release';
  for (const user of [REPORTER, OUTSIDER]) {
    const answer = await call(mergeRequestNotes.create, { ...one, body }, user);
    if (answer.status === 202)
      expect(answer.body.summary).toEqual([
        'Could not apply approve command. Could not apply close command. Could not apply label command. ' +
          'Could not apply target_branch command.',
      ]);
    expect(answer.events).toEqual([]);
  }
  const own = { ...one, body: '/target_branch topic1\n/target_branch nowhere\n/approve' };
  expect((await call(mergeRequestNotes.create, own, DEVELOPER)).events).toEqual([]);
});

test('a merge request that is merged leaves commands without effect, and the note stays', async () => {
  const merged = {
    type: 'MergeRequestMerged',
    data: {
      ...{ mergeRequestId: 91, projectId: 7, iid: 1, mergeId: null, mergedById: OWNER, sha: shaOf(1) },
      ...{ mergeCommitSha: null, squashCommitSha: null },
      changes: { state: 'merged' as const },
      previous: { state: 'opened' as const },
    },
  } as const;
  const { call } = await start(inMergeRequest(mergeRequestCreated(1)), inMergeRequest(merged));
  const note = await call(mergeRequestNotes.create, { ...one, body: 'Late\n/close\n/merge' }, OWNER);
  expect(note).toMatchObject({ status: 201, body: { body: 'Late', commands_changes: {} } });
  const edited = await call(updateMergeRequest, { ...one, description: '/reopen\nText' }, OWNER);
  expect(edited.body).toMatchObject({ state: 'merged', description: 'Text' });
});
