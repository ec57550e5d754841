import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { test } from 'vitest';
import { directoryForkRequests } from './collections.ts';
import { directoryForkRequestsProjection } from './fork-requests.projection.ts';

const ids = { mergeRequestId: 3, iid: 1, projectId: 7 };
const created = (sourceProjectId: number, allowCollaboration = true) => ({
  type: 'MergeRequestCreated',
  data: { ...ids, sourceProjectId, sourceBranch: 'topic', targetBranch: 'main', allowCollaboration },
});
const event = (type: string, changes: object = {}) => ({ type, data: { ...ids, changes } });
const row = {
  mergeRequestId: 3,
  projectId: 7,
  targetBranch: 'main',
  sourceProjectId: 8,
  sourceBranch: 'topic',
};

test.each([
  ['a merge request of a fork', [created(8)], [{ ...row, allowsCollaboration: true, open: true }]],
  ['one within its project', [created(7)], []],
  ['one that does not allow it', [created(8, false)], [{ ...row, allowsCollaboration: false, open: true }]],
  [
    'another target, and the word taken back',
    [created(8), event('MergeRequestUpdated', { targetBranch: 'next', allowCollaboration: false })],
    [{ ...row, targetBranch: 'next', allowsCollaboration: false, open: true }],
  ],
  ['a closed one', [created(8), event('MergeRequestClosed')], [{ ...row, open: false }]],
  ['a merged one', [created(8), event('MergeRequestMerged')], [{ ...row, open: false }]],
  [
    'a reopened one',
    [created(8), event('MergeRequestClosed'), event('MergeRequestReopened')],
    [{ ...row, allowsCollaboration: true, open: true }],
  ],
  ['a deleted one', [created(8), event('MergeRequestDeleted')], []],
  ['one whose fork was deleted', [created(8), { type: 'ProjectDeleted', data: { projectId: 8 } }], []],
] as const)('%s', async (_, events, documents) => {
  await givenEvents(directoryForkRequestsProjection, ...events).thenDocuments(directoryForkRequests, [
    ...documents,
  ]);
});
