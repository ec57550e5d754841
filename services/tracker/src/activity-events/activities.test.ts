import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { events } from '@forgelog/contracts/events.ts';
import { activityActions } from '@forgelog/contracts/tracker/activity-events/activity-event.api.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { expect, test } from 'vitest';
import { issueTarget } from '../issues/issue.target.ts';
import { mergeRequestTarget } from '../merge-requests/merge-request.target.ts';
import { issueOpened } from '../testing/issue-events.ts';
import { noteStarted } from '../testing/note-events.ts';
import { activitiesOf } from './activities.ts';

const activities = activitiesOf([issueTarget, mergeRequestTarget]);
const told = (event: DomainEvent) => activities[event.type]!({ ...envelope, ...event });

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
  const types = events.filter(({ activity }) => activity === 'told').map(({ type }) => type);
  expect(Object.keys(activities).sort()).toEqual(types.sort());
});

const member = (reason: 'removed' | 'left' | 'expired' | 'deleted') =>
  told({ type: 'ProjectMemberRemoved', data: { projectId: 7, userId: 9, reason } });

test('a member who leaves or is removed is told of as having left', () => {
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
  told({
    type: 'RefUpdated',
    data: { projectId: 7, ref, oldOid, newOid, via: 'push', commitCount: 3, commitTitle: 'Fix' },
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

test('a comment is about its target, and what the system notes is no comment', () => {
  expect(told(noteStarted(3, { authorId: 9 }))).toMatchObject({
    action: 'commented',
    actionName: 'commented on',
    authorId: 9,
    area: 'issues',
    target: { type: 'Note', id: 3 },
    subject: { type: 'Issue', id: 71, iid: 1 },
  });
  expect(told(noteStarted(3, { system: true }))).toBeNull();
});

test('a note that was copied from elsewhere is not told again', () => {
  const copied = { ...envelope.metadata, causationId: 'd' };
  const note = noteStarted(3);
  expect(activities[note.type]!({ ...envelope, ...note, metadata: copied })).toBeNull();
});

test('what happens to a target is told in the words of its kind', () => {
  const target = { type: 'Issue', id: 71, iid: 1 };
  expect(told(issueOpened(1))).toMatchObject({
    action: 'created',
    actionName: 'opened',
    authorId: 1,
    target,
  });
  const ids = { issueId: 71, projectId: 7, iid: 1 };
  const closed = (closedById: number | null) => told({ type: 'IssueClosed', data: { ...ids, closedById } });
  expect(closed(8)).toMatchObject({ action: 'closed', authorId: 8, area: 'issues', target });
  expect(closed(null)).toMatchObject({ authorId: 5 });
  expect(told({ type: 'IssueReopened', data: ids })).toMatchObject({ action: 'reopened', authorId: 5 });
});

test('actions are words of the filter', () => {
  const all = [member('left'), moved('refs/heads/x', OLD, NEW), told(issueOpened(1)), told(noteStarted(1))];
  const words = all.map((activity) => activity!.action);
  for (const word of words) expect(activityActions).toContain(word);
});
