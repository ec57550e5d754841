import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { branchMoved, mergeRequestCreated, shaOf } from '../testing/merge-request-events.ts';
import { noteStarted } from '../testing/note-events.ts';
import { branchTips } from './branch-tips.collection.ts';
import { mergeRequests, mergeRequestVersions } from './merge-requests.collection.ts';
import { mergeRequestsProjection } from './merge-requests.projection.ts';

const ids = { mergeRequestId: 91, projectId: 7, iid: 1 };
const place = placeOf(7, 1)!;
const of = (...events: { type: string; data: unknown }[]) => givenEvents(mergeRequestsProjection, ...events);
const tips = [branchMoved('main', shaOf(9)), branchMoved('topic1', shaOf(1))];
const created = mergeRequestCreated(1, { description: '- [x] a\n- [ ] b', title: 'Draft: x' });
const closed = { type: 'MergeRequestClosed', data: { ...ids, closedById: 5 } };

test('a merge request is what happened to it', async () => {
  await of(
    ...tips,
    created,
    noteStarted(1, { authorId: 5, noteableType: 'MergeRequest', noteableId: 91 }),
    { type: 'MergeRequestApproved', data: { ...ids, userId: 4, sha: shaOf(1) } },
    { type: 'MergeRequestApproved', data: { ...ids, userId: 5, sha: shaOf(1) } },
    { type: 'MergeRequestApprovalRevoked', data: { ...ids, userId: 4 } },
    { type: 'MergeRequestTimeSpentAdded', data: { ...ids, userId: 4, seconds: 90, summary: null } },
    {
      type: 'MergeRequestUpdated',
      data: { ...ids, changes: { title: 'x' }, targetSha: null, updatedAt: null },
    },
    closed,
  ).thenDocuments(mergeRequests, [
    {
      ...{ place, id: 91, iid: 1, state: 'closed', closedById: 5, title: 'x', draft: false },
      ...{ sha: shaOf(1), startSha: shaOf(9), version: 1, approvedByIds: [5], participantIds: [5] },
      ...{ notesCount: 1, timeSpent: 90, taskCount: 2, tasksCompleted: 1 },
    },
  ]);
});

test('of several that come to the same branches all but the first one have a rival', async () => {
  const rivals = async (expected: (number | null)[], ...events: { type: string; data: unknown }[]) =>
    of(...tips, branchMoved('stable', shaOf(8)), ...events).thenDocuments(
      mergeRequests,
      expected.map((rivalIid, at) => ({ iid: at + 1, rivalIid })),
    );
  const [one, two] = [mergeRequestCreated(1), mergeRequestCreated(2, { sourceBranch: 'topic1' })];
  const elsewhere = mergeRequestCreated(2, { sourceBranch: 'topic1', targetBranch: 'stable' });
  const reopened = {
    type: 'MergeRequestReopened',
    data: { ...ids, sourceSha: shaOf(1), targetSha: shaOf(9) },
  };
  const retargeted = {
    type: 'MergeRequestUpdated',
    data: { ...ids, iid: 2, changes: { targetBranch: 'main' }, targetSha: shaOf(9), updatedAt: null },
  };
  await rivals([null, 1], one, two);
  await rivals([null, null], one, elsewhere);
  await rivals([null, 1], one, elsewhere, retargeted);
  await rivals([2, null], one, closed, two, reopened);
  await rivals([null, null], one, closed, elsewhere, retargeted);
  await rivals([null, 1], one, { type: 'MergeRequestMergeStarted', data: { ...ids, mergeId: 'm' } }, two);
});

test('each push to its source while it is open is a version', async () => {
  const events = [
    ...tips,
    created,
    branchMoved('main', shaOf(6)),
    branchMoved('topic1', shaOf(2)),
    branchMoved('topic2', shaOf(3)),
    closed,
    branchMoved('topic1', shaOf(4)),
  ];
  const versions = [
    { number: 1, headSha: shaOf(1), startSha: shaOf(9) },
    { number: 2, headSha: shaOf(2), startSha: shaOf(6) },
  ];
  await of(...events).thenDocuments(mergeRequests, [{ sha: shaOf(2), version: 2 }]);
  await of(...events).thenDocuments(mergeRequestVersions, versions);
  const reopened = {
    type: 'MergeRequestReopened',
    data: { ...ids, sourceSha: shaOf(4), targetSha: shaOf(6) },
  };
  await of(...events, reopened).thenDocuments(mergeRequestVersions, [
    ...versions,
    { number: 3, headSha: shaOf(4), startSha: shaOf(6) },
  ]);
});

test('a push between the look at the branches and the creation is not lost', async () => {
  await of(...tips, branchMoved('topic1', shaOf(5)), created).thenDocuments(mergeRequests, [
    { sha: shaOf(5), version: 2 },
  ]);
});

test('another target is a version, too', async () => {
  const changes = { targetBranch: 'stable' };
  await of(...tips, created, {
    type: 'MergeRequestUpdated',
    data: { ...ids, changes, targetSha: shaOf(3), updatedAt: null },
  }).thenDocuments(mergeRequestVersions, [
    { number: 1, startSha: shaOf(9) },
    { number: 2, headSha: shaOf(1), startSha: shaOf(3) },
  ]);
});

test('a deleted source branch leaves the commit, and its tip is gone', async () => {
  const events = [...tips, created, branchMoved('topic1', null)];
  await of(...events).thenDocuments(mergeRequests, [{ sha: shaOf(1), version: 1 }]);
  await of(...events).thenDocuments(branchTips, [{ branch: '7 main', sha: shaOf(9) }]);
});

test('a deleted one leaves its number behind, and goes with its project', async () => {
  const deleted = { type: 'MergeRequestDeleted', data: ids };
  await of(...tips, created, deleted).thenDocuments(mergeRequests, [{ place, id: null, projectId: null }]);
  await of(...tips, created, deleted).thenDocuments(mergeRequestVersions, []);
  for (const collection of [mergeRequests, mergeRequestVersions, branchTips])
    await of(...tips, created, projectDeleted(7).event).thenDocuments(collection, []);
});

test('issues that it names are known by number or by path, and what it no longer closes is still named', async () => {
  const naming = mergeRequestCreated(1, { title: 'For #4', description: 'Closes #1 and A/B#2' });
  const changes = { description: 'Closes #3' };
  await of(
    naming,
    { type: 'MergeRequestUpdated', data: { ...ids, changes, targetSha: null, updatedAt: null } },
    noteStarted(1, { noteableType: 'MergeRequest', noteableId: 91, body: 'See #5' }),
    noteStarted(2, { noteableType: 'MergeRequest', noteableId: 91, body: 'See #6', confidential: true }),
  ).thenDocuments(mergeRequests, [{ mentions: ['7#4', '7#1', 'a/b#2', '7#3', '7#5'], closes: ['7#3'] }]);
});
