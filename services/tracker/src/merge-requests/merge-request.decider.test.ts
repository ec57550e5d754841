import type { MergeRequestEvent } from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { expect, test } from 'vitest';
import { NO_WISHES } from '../labels/given-labels.rules.ts';
import { mergeRequestCreated, shaOf } from '../testing/merge-request-events.ts';
import { isDraft } from './draft-title.ts';
import { type MergeRequestCommand, mergeRequestDecider } from './merge-request.decider.ts';

const place = { projectId: 7, iid: 1 };
const ids = { mergeRequestId: 91, ...place };
const created = mergeRequestCreated(1);
const closed: MergeRequestEvent = {
  type: 'MergeRequestClosed',
  data: { ...ids, closedById: 2, changes: { state: 'closed' }, previous: { state: 'opened' } },
};
const approved: MergeRequestEvent = {
  type: 'MergeRequestApproved',
  data: { ...ids, userId: 2, sha: shaOf(1) },
};
const AUTHOR = { userId: 1, level: 10 };
const DEVELOPER = { userId: 2, level: 30 };
const update = (
  more: Partial<Extract<MergeRequestCommand, { type: 'UpdateMergeRequest' }>>,
): MergeRequestCommand => ({
  ...{ type: 'UpdateMergeRequest', ...place, actor: DEVELOPER, changes: {}, labels: NO_WISHES },
  ...{ stateEvent: null, tips: null, updatedAt: null, ...more },
});
const labels = { ...NO_WISHES, add: [{ id: 1, title: 'bug' }] };
const tips = { sourceSha: shaOf(2), targetSha: shaOf(3) };

test('one is created with a trimmed title, once', () => {
  const create: MergeRequestCommand = { type: 'CreateMergeRequest', ...created.data, title: ' Request 1 ' };
  given(mergeRequestDecider).when(create).thenEvents(created);
  given(mergeRequestDecider, created).when(create).thenRejected('conflict');
});

test('a branch is not merged into itself; one of a fork may have the same name', () => {
  const create = { type: 'CreateMergeRequest', ...created.data, sourceBranch: 'main' } as const;
  const error = ["You can't use same project/branch for source and target"];
  given(mergeRequestDecider).when(create).thenRejected('branches_refused', { error });
  const fork = mergeRequestCreated(1, { sourceProjectId: 8, sourceBranch: 'main' });
  given(mergeRequestDecider)
    .when({ type: 'CreateMergeRequest', ...fork.data })
    .thenEvents(fork);
  given(mergeRequestDecider, created)
    .when(update({ changes: { targetBranch: 'topic1' }, tips }))
    .thenRejected('branches_refused');
});

test('what is invalid is named', () => {
  given(mergeRequestDecider)
    .when({ type: 'CreateMergeRequest', ...created.data, title: ' ', labels: ['x'.repeat(256)] })
    .thenRejected('validation_failed', {
      message: { title: ["can't be blank"], labels: ['is too long (maximum is 255 characters)'] },
    });
});

test('developers change everything, and tell old and new values', () => {
  given(mergeRequestDecider, created)
    .when(update({ changes: { title: 'Other', squash: true }, labels }))
    .thenEvents({
      type: 'MergeRequestUpdated',
      data: {
        ...ids,
        changes: { title: 'Other', squash: true, labels: ['bug'], labelIds: [1] },
        previous: { title: 'Request 1', squash: false, labels: [], labelIds: [] },
        ...{ targetSha: null, updatedAt: null },
      },
    });
  given(mergeRequestDecider, created)
    .when(update({ changes: { title: 'Request 1' } }))
    .thenEvents();
});

test('a new target comes with its commit', () => {
  given(mergeRequestDecider, created)
    .when(update({ changes: { targetBranch: 'stable' }, tips }))
    .thenEvents({
      type: 'MergeRequestUpdated',
      data: {
        ...ids,
        ...{ changes: { targetBranch: 'stable' }, previous: { targetBranch: 'main' } },
        ...{ targetSha: shaOf(3), updatedAt: null },
      },
    });
});

test('its author leaves planning to reporters, and strangers change nothing', () => {
  const changes = { description: 'New', assigneeIds: [3], discussionLocked: true };
  given(mergeRequestDecider, created)
    .when(update({ actor: AUTHOR, changes, labels }))
    .thenEvents({
      type: 'MergeRequestUpdated',
      data: {
        ...ids,
        ...{ changes: { description: 'New' }, previous: { description: null } },
        ...{ targetSha: null, updatedAt: null },
      },
    });
  given(mergeRequestDecider, created)
    .when(update({ actor: { userId: 3, level: 20 }, changes, labels }))
    .thenRejected('forbidden');
});

test('it is closed and opened again, with the commits of that time', () => {
  given(mergeRequestDecider, created)
    .when(update({ stateEvent: 'close' }))
    .thenEvents(closed);
  given(mergeRequestDecider, created, closed)
    .when(update({ stateEvent: 'close' }))
    .thenEvents();
  given(mergeRequestDecider, created, closed)
    .when(update({ stateEvent: 'reopen', tips }))
    .thenEvents({
      type: 'MergeRequestReopened',
      data: { ...ids, ...tips, changes: { state: 'opened' }, previous: { state: 'closed' } },
    });
});

test('others approve it once while it is open, and take that back once', () => {
  const approve = { type: 'ApproveMergeRequest', ...place, userId: 2, sha: shaOf(1) } as const;
  const revoke = { type: 'RevokeApproval', ...place, userId: 2 } as const;
  given(mergeRequestDecider, created).when(approve).thenEvents(approved);
  given(mergeRequestDecider, created, approved).when(approve).thenRejected('unauthorized');
  given(mergeRequestDecider, created)
    .when({ ...approve, userId: 1 })
    .thenRejected('unauthorized');
  given(mergeRequestDecider, created, closed).when(approve).thenRejected('unauthorized');
  given(mergeRequestDecider, created, approved)
    .when(revoke)
    .thenEvents({ type: 'MergeRequestApprovalRevoked', data: { ...ids, userId: 2 } });
  given(mergeRequestDecider, created).when(revoke).thenRejected('record_not_found');
});

test('after its deletion there is none', () => {
  const deleted: MergeRequestEvent = { type: 'MergeRequestDeleted', data: ids };
  given(mergeRequestDecider, created)
    .when({ type: 'DeleteMergeRequest', ...place })
    .thenEvents(deleted);
  for (const command of [update({}), { type: 'DeleteMergeRequest', ...place } as const])
    given(mergeRequestDecider, created, deleted).when(command).thenRejected('record_not_found');
});

test('time is booked with its own events', () => {
  given(mergeRequestDecider, created)
    .when({ type: 'AddTimeSpent', ...place, userId: 2, seconds: 60, summary: null })
    .thenEvents({
      type: 'MergeRequestTimeSpentAdded',
      data: { ...ids, userId: 2, seconds: 60, summary: null },
    });
});

const start = {
  type: 'StartMerge',
  ...{ ...place, mergeId: 'm1', userId: 2, sha: shaOf(1), squash: false },
  ...{ removeSourceBranch: true, mergeMessage: 'Merge', squashMessage: 'Squash' },
} as const;
const locked = { changes: { state: 'locked' }, previous: { state: 'opened' } } as const;
const { type: _, ...merge } = start;
const started: MergeRequestEvent = {
  type: 'MergeRequestMergeStarted',
  data: { mergeRequestId: 91, ...merge, ...locked },
};
const commits = { sha: shaOf(1), mergeCommitSha: shaOf(4), squashCommitSha: null };
const finish = { type: 'FinishMerge', ...place, mergeId: 'm1', mergedById: 2, ...commits } as const;
const merged = (previous: 'opened' | 'locked', mergeId: string | null = 'm1'): MergeRequestEvent => ({
  type: 'MergeRequestMerged',
  data: {
    ...{ ...ids, mergeId, mergedById: 2, ...commits },
    ...{ changes: { state: 'merged' }, previous: { state: previous } },
  },
});
const fail = { type: 'FailMerge', ...place, mergeId: 'm1', reason: 'conflict', message: 'No' } as const;
const failed: MergeRequestEvent = {
  type: 'MergeRequestMergeFailed',
  data: {
    ...{ ...ids, mergeId: 'm1', reason: 'conflict', message: 'No' },
    ...{ changes: { state: 'opened' }, previous: { state: 'locked' } },
  },
};

test('a merge locks it: nobody else merges or changes it', () => {
  given(mergeRequestDecider, created).when(start).thenEvents(started);
  given(mergeRequestDecider, created, started)
    .when({ ...start, mergeId: 'm2' })
    .thenRejected('merge_not_allowed');
  for (const command of [
    update({ changes: { title: 'Other' } }),
    update({ stateEvent: 'close' }),
    { type: 'DeleteMergeRequest', ...place },
    { type: 'ApproveMergeRequest', ...place, userId: 2, sha: shaOf(1) },
    { type: 'SetTimeEstimate', ...place, seconds: 60 },
  ] satisfies MergeRequestCommand[])
    given(mergeRequestDecider, created, started).when(command).thenRejected('conflict');
});

test('whoever merges may ask for another way than it says, and it says so then', () => {
  const squashed: MergeRequestEvent = {
    type: 'MergeRequestUpdated',
    data: {
      ...{ ...ids, changes: { squash: true }, previous: { squash: false } },
      ...{ targetSha: null, updatedAt: null },
    },
  };
  const begins = { ...started, data: { ...started.data, squash: true } } as MergeRequestEvent;
  given(mergeRequestDecider, created)
    .when({ ...start, squash: true })
    .thenEvents(squashed, begins);
  given(mergeRequestDecider, created)
    .when({ ...setLater, squash: true })
    .thenEvents(squashed, set({ squash: true }));
});

test('a draft and a closed one are not merged', () => {
  given(mergeRequestDecider, mergeRequestCreated(1, { title: 'Draft: x' }))
    .when(start)
    .thenRejected('merge_not_allowed');
  given(mergeRequestDecider, created, closed).when(start).thenRejected('merge_not_allowed');
  given(mergeRequestDecider, created, started, merged('locked'))
    .when({ ...start, mergeId: 'm2' })
    .thenRejected('merge_not_allowed');
});

test('a merge ends once, and what git has merged is merged whatever happened since', () => {
  given(mergeRequestDecider, created, started).when(finish).thenEvents(merged('locked'));
  given(mergeRequestDecider, created, started, merged('locked')).when(finish).thenEvents();
  given(mergeRequestDecider, created, started, merged('locked')).when(fail).thenEvents();
  given(mergeRequestDecider, created, started).when(fail).thenEvents(failed);
  given(mergeRequestDecider, created, started, failed).when(fail).thenEvents();
  given(mergeRequestDecider, created, started, failed).when(finish).thenEvents(merged('opened'));
  given(mergeRequestDecider, created, started)
    .when({ ...fail, mergeId: 'm0' })
    .thenEvents();
});

test('a push merges what is open, and leaves a merge that is under way to itself', () => {
  const pushed = { ...finish, mergeId: null };
  given(mergeRequestDecider, created).when(pushed).thenEvents(merged('opened', null));
  for (const events of [[closed], [started], [started, merged('locked')]])
    given(mergeRequestDecider, created, ...events)
      .when(pushed)
      .thenEvents();
});

test('what is merged keeps its target, and its text may change', () => {
  given(mergeRequestDecider, created, started, merged('locked'))
    .when(update({ changes: { targetBranch: 'stable', title: 'Other' }, stateEvent: 'close', tips }))
    .thenEvents({
      type: 'MergeRequestUpdated',
      data: {
        ...ids,
        ...{ changes: { title: 'Other' }, previous: { title: 'Request 1' } },
        ...{ targetSha: null, updatedAt: null },
      },
    });
});

const later = {
  ...{ mergeId: 'm3', userId: 2, sha: shaOf(1), squash: false, removeSourceBranch: true },
  ...{ mergeMessage: null, squashMessage: 'Squash' },
} as const;
const set = (more: object = {}): MergeRequestEvent => ({
  type: 'MergeRequestAutoMergeSet',
  data: { ...ids, ...later, ...more },
});
const setLater = { type: 'SetAutoMerge', ...place, ...later } as const;
const startLater = {
  type: 'StartAutoMerge',
  ...{ ...place, mergeId: 'm3', mergeMessage: 'Merge', squashMessage: 'Squash' },
} as const;
const canceled = (reason: string): MergeRequestEvent =>
  ({ type: 'MergeRequestAutoMergeCanceled', data: { ...ids, mergeId: 'm3', reason } }) as MergeRequestEvent;
const asked = { type: 'CancelAutoMerge', ...place, mergeId: null, reason: 'asked' } as const;
const begun: MergeRequestEvent = {
  type: 'MergeRequestMergeStarted',
  data: { ...ids, ...later, mergeMessage: 'Merge', ...locked },
};

test('what waits for its pipeline is merged once, by whoever begins first', () => {
  given(mergeRequestDecider, created).when(setLater).thenEvents(set());
  given(mergeRequestDecider, created, set()).when(startLater).thenEvents(begun);
  given(mergeRequestDecider, created, set(), begun).when(startLater).thenEvents();
  given(mergeRequestDecider, created, set(), canceled('asked')).when(startLater).thenEvents();
  given(mergeRequestDecider, created).when(startLater).thenEvents();
  given(mergeRequestDecider, created, set())
    .when({ ...startLater, mergeId: 'm2' })
    .thenEvents();
});

test('the same is set once, and anything else replaces it', () => {
  given(mergeRequestDecider, created, set())
    .when({ ...setLater, mergeId: 'm4' })
    .thenEvents();
  given(mergeRequestDecider, created, set())
    .when({ ...setLater, mergeId: 'm4', removeSourceBranch: false } as never)
    .thenEvents(canceled('set again'), set({ mergeId: 'm4', removeSourceBranch: false }));
});

test('nothing waits in a draft, a closed, a merged one and one that is being merged', () => {
  for (const events of [[closed], [started], [started, merged('locked')]])
    given(mergeRequestDecider, created, ...events)
      .when(setLater)
      .thenRejected('merge_not_allowed');
  given(mergeRequestDecider, mergeRequestCreated(1, { title: 'Draft: x' }))
    .when(setLater)
    .thenRejected('merge_not_allowed');
});

test('waiting ends when it is asked for, and when the request is closed or goes elsewhere', () => {
  given(mergeRequestDecider, created, set()).when(asked).thenEvents(canceled('asked'));
  given(mergeRequestDecider, created).when(asked).thenRejected('not_mergeable');
  for (const events of [[closed], [set(), begun], [started, merged('locked')]])
    given(mergeRequestDecider, created, ...events)
      .when(asked)
      .thenRejected('merge_not_allowed');
  const moved = { ...asked, mergeId: 'm3', reason: 'source moved' } as const;
  given(mergeRequestDecider, created, set()).when(moved).thenEvents(canceled('source moved'));
  given(mergeRequestDecider, created, set())
    .when({ ...moved, mergeId: 'm2' })
    .thenEvents();
  given(mergeRequestDecider, created, set(), begun).when(moved).thenEvents();
  given(mergeRequestDecider, created, set())
    .when(update({ stateEvent: 'close' }))
    .thenEvents(closed, canceled('closed'));
  given(mergeRequestDecider, created, set())
    .when(update({ changes: { targetBranch: 'stable' }, stateEvent: 'close', tips }))
    .thenEvents(
      {
        type: 'MergeRequestUpdated',
        data: {
          ...{ ...ids, changes: { targetBranch: 'stable' }, previous: { targetBranch: 'main' } },
          ...{ targetSha: shaOf(3), updatedAt: null },
        },
      },
      canceled('target changed'),
      closed,
    );
});

test.each([
  ['Draft: x', true],
  ['draft:x', true],
  ['[Draft] x', true],
  ['(draft) x', true],
  ['WIP: x', true],
  ['[wip] x', true],
  ['Drafting: x', false],
  ['A draft: x', false],
  ['Draft x', false],
  ['(WIP) x', false],
])('the title %j is that of a draft: %s', (title, wanted) => {
  expect(isDraft(title)).toBe(wanted);
});
