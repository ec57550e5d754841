import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { expect, test } from 'vitest';
import { openMemberships, openMembershipsProjection } from './open-memberships.projection.ts';

/** The same id as group and as project, so that a row of one never is the other's. */
const ID = 5;
const member = { userId: 2, accessLevel: 30, expiresAt: '2031-01-01' };
const event = (type: string, data: object): DomainEvent => ({ type, data });
const joinedGroup = event('GroupMemberAdded', { groupId: ID, ...member, reason: 'added' });
const joinedProject = event('ProjectMemberAdded', { projectId: ID, ...member });
const inGroup = { key: 'group-5-2', source: 'group', sourceId: ID, userId: 2, expiresAt: '2031-01-01' };
const inProject = { ...inGroup, key: 'project-5-2', source: 'project' };

const open = (...events: readonly DomainEvent[]) =>
  givenEvents(openMembershipsProjection, ...events).documents(openMemberships);

test('a membership is open from its beginning, in a group or a project', async () => {
  expect(await open(joinedProject, joinedGroup)).toEqual([inGroup, inProject]);
});

test('an owner whom an early group names has one without end', async () => {
  const owner = { ...inGroup, key: 'group-5-1', userId: 1, expiresAt: null };
  expect(await open(event('GroupCreated', { groupId: ID, ownerId: 1 }))).toEqual([owner]);
  expect(await open(event('GroupCreated', { groupId: ID, ownerId: null }))).toEqual([]);
});

test('a changed end moves it', async () => {
  const later = { ...member, expiresAt: '2032-02-02' };
  const changed = [
    event('GroupMemberChanged', { groupId: ID, ...later }),
    event('ProjectMemberChanged', { projectId: ID, ...later, expiresAt: null }),
  ];
  expect(await open(joinedGroup, joinedProject, ...changed)).toEqual([
    { ...inGroup, expiresAt: '2032-02-02' },
    { ...inProject, expiresAt: null },
  ]);
});

test('its own end closes it, and the end of what it belongs to does not', async () => {
  const gone = [
    event('UserDeleted', { userId: 2 }),
    event('GroupDeleted', { groupId: ID }),
    event('ProjectDeleted', { projectId: ID }),
  ];
  const both = [joinedGroup, joinedProject, ...gone];
  expect(await open(...both)).toEqual([inGroup, inProject]);
  const leftGroup = event('GroupMemberRemoved', { groupId: ID, userId: 2, reason: 'deleted' });
  expect(await open(...both, leftGroup)).toEqual([inProject]);
  const leftProject = event('ProjectMemberRemoved', { projectId: ID, userId: 2, reason: 'expired' });
  expect(await open(...both, leftProject)).toEqual([inGroup]);
});
