import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { projected, recorded } from '@forgelog/eventing/testing/projecting.ts';
import { expect, test } from 'vitest';
import { members } from './members.collection.ts';
import { membersProjection } from './members.projection.ts';

const ann: DomainEvent = {
  type: 'UserCreated',
  data: { userId: 1, username: 'ann', name: 'Ann', email: 'a@example.org', bot: false, profile: {} },
};
const group: DomainEvent = { type: 'GroupCreated', data: { groupId: 5, creatorId: 1 } };
const project: DomainEvent = { type: 'ProjectCreated', data: { projectId: 7, ownerId: 1 } };
const joined: DomainEvent = {
  type: 'ProjectMemberAdded',
  data: { projectId: 8, userId: 1, accessLevel: 30, expiresAt: null },
};

async function rows(...events: DomainEvent[]) {
  const log = events.map((event, index) => recorded(index + 1, event));
  return (await projected(membersProjection, log)).all(members);
}

test("a group's creator is its owner, and a personal project's owner appears as a maintainer", async () => {
  expect(await rows(ann, group, project)).toMatchObject([
    { key: 'group-5-1', id: 1, accessLevel: 50, username: 'ann', name: 'Ann', expiresAt: null },
    { key: 'project-7-1', id: 2, accessLevel: 40 },
  ]);
  const inGroup = { type: 'ProjectCreated', data: { projectId: 7, ownerId: null } };
  const bySystem = { type: 'GroupCreated', data: { groupId: 5, creatorId: null } };
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
