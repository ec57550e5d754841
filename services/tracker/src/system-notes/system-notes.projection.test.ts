import { openMemoryReadStore } from '@forgelog/eventing/adapters/memory/memory-read-store.ts';
import { applyTo, recorded } from '@forgelog/eventing/testing/projecting.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { expect, test } from 'vitest';
import { notes } from '../discussions/discussions.collection.ts';
import { discussionsProjection } from '../discussions/discussions.projection.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { mergeRequestTarget } from '../merge-requests/merge-request.target.ts';
import { issueDeleted, issueOpened } from '../testing/issue-events.ts';
import { branchMoved, mergeRequestCreated, shaOf } from '../testing/merge-request-events.ts';
import { systemNoteId } from './system-note-id.ts';

const projection = discussionsProjection([issueTarget, mergeRequestTarget]);
const ids = { mergeRequestId: 91, projectId: 7, iid: 1 };
const pushed = (branch: string, commitCount: number, commitTitle: string | null = null) => {
  const { type, data } = branchMoved(branch, shaOf(2));
  return { type, data: { ...data, commitCount, commitTitle } };
};
const textsAfter = async (...events: { type: string; data: unknown }[]) =>
  (await givenEvents(projection, ...events).documents(notes))
    .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
    .map(({ text }) => text);

test('pushes to the source branch of an open merge request are noted on it, and no others', async () => {
  const closed = { type: 'MergeRequestClosed', data: { ...ids, closedById: 5 } };
  const reopened = { type: 'MergeRequestReopened', data: ids };
  expect(
    await textsAfter(
      ...[mergeRequestCreated(1), pushed('topic1', 1, 'Fix it'), pushed('topic2', 1), pushed('topic1', 0)],
      ...[closed, pushed('topic1', 4), reopened, pushed('topic1', 3)],
    ),
  ).toEqual(['added 1 commit\n\n* 22222222 - Fix it', 'closed', 'reopened', 'added 3 commits\n\n* 22222222']);
});

test('a merge request notes its reviews, its mark as a draft and its merge', async () => {
  const changed = (changes: object, previous: object) => ({
    type: 'MergeRequestUpdated',
    data: { ...ids, changes, previous, targetSha: null, updatedAt: null },
  });
  const waits = { type: 'MergeRequestAutoMergeSet', data: { ...ids, userId: 4, sha: shaOf(1) } };
  expect(
    await textsAfter(
      mergeRequestCreated(1),
      changed({ title: 'Draft: x' }, { title: 'x' }),
      changed({ title: 'y' }, { title: 'Draft: x' }),
      changed({ targetBranch: 'main' }, { targetBranch: 'old' }),
      { type: 'MergeRequestApproved', data: { ...ids, userId: 4, sha: shaOf(1) } },
      { type: 'MergeRequestApprovalRevoked', data: { ...ids, userId: 4 } },
      ...[waits, { type: 'MergeRequestAutoMergeCanceled', data: { ...ids, reason: 'conflict' } }],
      { type: 'MergeRequestMerged', data: { ...ids, mergedById: 4 } },
    ),
  ).toEqual([
    'marked this merge request as **draft**',
    ...['marked this merge request as **ready**', 'changed title from **Draft: x** to **y**'],
    'changed target branch from `old` to `main`',
    ...['approved this merge request', 'unapproved this merge request'],
    `enabled an automatic merge when the pipeline for ${shaOf(1)} succeeds`,
    'aborted the automatic merge because there were conflicts',
    'merged',
  ]);
});

test('what nobody did is no note, and notes end with their target', async () => {
  const readStore = openMemoryReadStore();
  const closed = { type: 'IssueClosed', data: { issueId: 71, projectId: 7, iid: 1, closedById: null } };
  const texts = async () => (await readStore.find(notes, { limit: 9 })).map(({ text }) => text);
  await applyTo(readStore, projection, [recorded(1, issueOpened(1)), recorded(2, closed)]);
  expect(await texts()).toEqual([]);
  await applyTo(readStore, projection, [recorded(3, closed, { actorId: 3 })]);
  expect(await texts()).toEqual(['closed']);
  await applyTo(readStore, projection, [recorded(4, issueDeleted(1))]);
  expect(await texts()).toEqual([]);
});

test('ids ascend with the log of their target, differ between kinds, and stay exact', () => {
  const event = (revision: number) => ({ id: `event ${revision}`, stream: 'issue-7-1', revision });
  const own = { slot: 0, isOwn: true };
  const issue = { type: 'Issue', id: 71 } as const;
  const found = [
    systemNoteId(issue, event(0), own),
    systemNoteId(issue, event(0), { ...own, slot: 15 }),
    systemNoteId(issue, event(1), own),
    systemNoteId({ ...issue, id: 2 ** 28 - 1 }, event(2 ** 18 - 1), { ...own, slot: 15 }),
    // Those beyond, and those of other streams, are of the upper half.
    systemNoteId({ ...issue, id: 2 ** 28 }, event(0), own),
  ];
  expect(found.toSorted((a, b) => a - b)).toEqual(found);
  expect(new Set(found).size).toBe(found.length);
  expect(found[0]! >= 2 ** 52 && Number.isSafeInteger(found.at(-1))).toBe(true);
  expect(systemNoteId({ type: 'MergeRequest', id: 71 }, event(0), own)).not.toBe(found[0]);
  const elsewhere = { slot: 0, isOwn: false };
  expect(systemNoteId(issue, event(0), elsewhere)).toBe(systemNoteId(issue, event(0), elsewhere));
  expect(systemNoteId(issue, event(0), elsewhere)).not.toBe(systemNoteId(issue, event(1), elsewhere));
});
