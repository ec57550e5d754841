import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { projected, recorded } from '@forgelog/eventing/testing/projecting.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { expect, test } from 'vitest';
import { members, memberUsers } from './members.collection.ts';
import { membersProjection } from './members.projection.ts';

const ann: DomainEvent = {
  type: 'UserCreated',
  data: { userId: 1, username: 'ann', name: 'Ann', email: 'a@example.org', bot: false, profile: {} },
};
const group: DomainEvent = { type: 'GroupCreated', data: { groupId: 5, ownerId: 1 } };
const project: DomainEvent = { type: 'ProjectCreated', data: { projectId: 7, ownerId: 1 } };
const joined: DomainEvent = {
  type: 'ProjectMemberAdded',
  data: { projectId: 8, userId: 1, accessLevel: 30, expiresAt: null },
};

async function rows(...events: DomainEvent[]) {
  const log = events.map((event, index) => recorded(index + 1, event));
  return (await projected(membersProjection, log)).all(members);
}

test("an owner whom an early group names is a member, and a personal project's owner appears as a maintainer", async () => {
  expect(await rows(ann, group, project)).toMatchObject([
    { key: 'group-5-1', id: 1, accessLevel: 50, username: 'ann', name: 'Ann', expiresAt: null },
    { key: 'project-7-1', id: 2, accessLevel: 40 },
  ]);
  const inGroup = { type: 'ProjectCreated', data: { projectId: 7, ownerId: null } };
  const bySystem = { type: 'GroupCreated', data: { groupId: 5, ownerId: null } };
  expect(await rows(ann, bySystem, inGroup)).toEqual([]);
});

test("rows follow their user's names", async () => {
  const renamed = {
    type: 'UserUpdated',
    data: { userId: 1, changes: { name: 'Anna', profile: { public_email: 'anna@example.org' } } },
  };
  const hidden = { type: 'UserUpdated', data: { userId: 1, changes: { profile: { public_email: '' } } } };
  expect(await rows(ann, joined, renamed)).toMatchObject([
    { name: 'Anna', username: 'ann', publicEmail: 'anna@example.org' },
  ]);
  expect(await rows(ann, joined, renamed, hidden)).toMatchObject([{ name: 'Anna', publicEmail: null }]);
});

test('a change keeps the time of joining', async () => {
  const changed = {
    type: 'ProjectMemberChanged',
    data: { projectId: 8, userId: 1, accessLevel: 20, previousAccessLevel: 30, expiresAt: '2031-01-01' },
  };
  const [before] = await rows(ann, joined);
  expect(await rows(ann, joined, changed)).toEqual([{ ...before, accessLevel: 20, expiresAt: '2031-01-01' }]);
});

test('memberships are deleted with their group, project or user', async () => {
  const all = [ann, group, project, joined];
  expect(await rows(...all, { type: 'GroupDeleted', data: { groupId: 5 } })).toHaveLength(2);
  expect(await rows(...all, { type: 'ProjectDeleted', data: { projectId: 7 } })).toHaveLength(2);
  expect(await rows(...all, { type: 'UserDeleted', data: { userId: 1 } })).toEqual([]);
});

test('a member who is removed has no row', async () => {
  const removed = { type: 'ProjectMemberRemoved', data: { projectId: 8, userId: 1, reason: 'left' } };
  const left = { type: 'GroupMemberRemoved', data: { groupId: 5, userId: 1, reason: 'left' } };
  await givenEvents(membersProjection, ann, group, joined, removed).thenDocuments(members, [{ sourceId: 5 }]);
  await givenEvents(membersProjection, ann, group, joined, left).thenDocuments(members, [{ sourceId: 8 }]);
});

test('a user who takes a seat is told from bots and blocked users', async () => {
  const blocked = { type: 'UserBlocked', data: { userId: 1 } };
  const unblocked = { type: 'UserUnblocked', data: { userId: 1 } };
  const seat = { id: 1, bot: false, email: 'a@example.org', createdAt: '2030-01-01T00:00:01.000Z' };
  for (const [events, isBlocked] of [
    [[ann], false],
    [[ann, blocked], true],
    [[ann, blocked, unblocked], false],
  ] as const)
    await givenEvents(membersProjection, ...events).thenDocuments(memberUsers, [
      { ...seat, blocked: isBlocked },
    ]);
  const gone = { type: 'UserDeleted', data: { userId: 1 } };
  await givenEvents(membersProjection, ann, gone).thenDocuments(memberUsers, []);
});

test('a transfer lists the new owner, and their own membership again when the project has left', async () => {
  const moved = (ownerId: number | null, previousOwnerId: number | null): DomainEvent => ({
    type: 'ProjectTransferred',
    data: { projectId: 8, ownerId, previousOwnerId, changes: {}, previous: {} },
  });
  const removed = { type: 'ProjectMemberRemoved', data: { projectId: 8, userId: 1, reason: 'expired' } };
  const [before] = await rows(ann, joined);
  const owning = { ...before, accessLevel: 40, heldLevel: 30 };
  expect(await rows(ann, moved(1, null))).toMatchObject([{ accessLevel: 40, heldLevel: null }]);
  expect(await rows(ann, moved(1, null), moved(null, 1))).toEqual([]);
  expect(await rows(ann, joined, moved(1, null))).toEqual([owning]);
  expect(await rows(ann, joined, moved(1, null), moved(null, 1))).toEqual([before]);
  expect(await rows(ann, joined, moved(1, null), removed)).toEqual([{ ...owning, heldLevel: null }]);
  expect(await rows(ann, joined, moved(1, null), removed, moved(null, 1))).toEqual([]);
});
