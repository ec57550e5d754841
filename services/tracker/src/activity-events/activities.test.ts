import { events } from '@forgelog/contracts/events.ts';
import { activityActions } from '@forgelog/contracts/tracker/activity-events/activity-event.api.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { expect, test } from 'vitest';
import { activities } from './activities.ts';

const envelope = {
  id: 'e',
  schemaVersion: 1,
  time: '2026-01-01T00:00:00.000Z',
  stream: 's-1',
  revision: 0,
  position: '1',
  metadata: { ...SYSTEM_METADATA, actorId: 5 },
};

test('the feed describes the events whose contracts say so, and no others', () => {
  const told = events.filter(({ activity }) => activity === 'told').map(({ type }) => type);
  expect(Object.keys(activities).sort()).toEqual(told.sort());
});

const member = (reason: 'removed' | 'left' | 'expired' | 'deleted') =>
  activities.ProjectMemberRemoved({
    ...envelope,
    type: 'ProjectMemberRemoved',
    data: { projectId: 7, userId: 9, reason },
  });

test('whoever leaves is told of as having left, himself', () => {
  expect(member('left')).toMatchObject({ action: 'left', actionName: 'left', authorId: 9 });
  expect(member('removed')).toMatchObject({ action: 'left', authorId: 9 });
  expect(member('expired')).toMatchObject({
    action: 'expired',
    actionName: 'removed due to membership expiration from',
  });
  expect(member('deleted')).toBeNull();
});

const OLD = 'a'.repeat(40);
const NEW = 'b'.repeat(40);
const NONE = '0'.repeat(40);
const moved = (ref: string, oldOid: string, newOid: string) =>
  activities.RefUpdated({
    ...envelope,
    type: 'RefUpdated',
    data: { projectId: 7, ref, oldOid, newOid, via: 'push', commitCount: 3, commitTitle: 'Fix' } as never,
  });

test('a moved branch or tag is a push, what the system keeps for itself is none', () => {
  expect(moved('refs/heads/a/b', OLD, NEW)).toMatchObject({
    action: 'pushed',
    actionName: 'pushed to',
    authorId: 5,
    area: 'repository',
    push: {
      commit_count: 3,
      action: 'pushed',
      ref_type: 'branch',
      commit_from: OLD,
      commit_to: NEW,
      ref: 'a/b',
      commit_title: 'Fix',
    },
  });
  expect(moved('refs/tags/v1', NONE, NEW)).toMatchObject({
    actionName: 'pushed new',
    push: { action: 'created', ref_type: 'tag', commit_from: null, commit_to: NEW },
  });
  expect(moved('refs/heads/x', OLD, NONE)).toMatchObject({
    action: 'pushed',
    actionName: 'deleted',
    push: { action: 'removed', commit_count: 0, commit_from: OLD, commit_to: null },
  });
  expect(moved('refs/merge-requests/1/head', NONE, NEW)).toBeNull();
});

test('what the system notes is no comment', () => {
  const note = {
    discussionId: 'a'.repeat(40),
    projectId: 7,
    noteableType: 'Issue',
    noteableId: 70,
    noteableIid: 1,
    noteId: 3,
    authorId: 9,
    body: 'x',
    createdAt: null,
    confidential: false,
  } as const;
  const added = (system: boolean) =>
    activities.NoteAdded({ ...envelope, type: 'NoteAdded', data: { ...note, system } });
  expect(added(true)).toBeNull();
  expect(added(false)).toMatchObject({
    action: 'commented',
    actionName: 'commented on',
    authorId: 9,
    target: { type: 'Note', id: 3 },
    subject: { key: 'Issue-70', iid: 1 },
  });
});

test('actions are words of the filter', () => {
  const words = [member('left'), moved('refs/heads/x', OLD, NEW)].map((activity) => activity!.action);
  for (const word of words) expect(activityActions).toContain(word);
});
