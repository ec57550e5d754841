import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { memberAdded } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { directoryMembers } from './collections.ts';
import { directoryMembersProjection } from './members.projection.ts';

const inProject = memberAdded(7, 2, 30).event;
const inGroup = {
  type: 'GroupMemberAdded',
  data: { groupId: 7, userId: 2, accessLevel: 40, expiresAt: '2030-02-01', reason: 'added' },
};
const of = (...events: { type: string; data: unknown }[]) =>
  givenEvents(directoryMembersProjection, ...events);

test('memberships of a group and of a project with one number are two, each with who invited', async () => {
  await of(inProject, inGroup).thenDocuments(directoryMembers, [
    { key: 'group-7-2', source: 'group', sourceId: 7, userId: 2, accessLevel: 40, expiresAt: '2030-02-01' },
    { key: 'project-7-2', source: 'project', sourceId: 7, accessLevel: 30, expiresAt: null, invitedBy: 1 },
  ]);
});

test.each([
  ['group', inGroup, { groupId: 7, userId: 2 }],
  ['project', inProject, { projectId: 7, userId: 2 }],
] as const)('a membership of a %s changes, and keeps since when it is', async (source, added, ids) => {
  const noun = source === 'group' ? 'Group' : 'Project';
  const data = { ...ids, accessLevel: 20, expiresAt: '2031-01-01' };
  const [before] = await of(added).documents(directoryMembers);
  const [after] = await of(added, { type: `${noun}MemberChanged`, data }).documents(directoryMembers);
  expect(after).toEqual({ ...before, accessLevel: 20, expiresAt: '2031-01-01' });
  const removed = { type: `${noun}MemberRemoved`, data: { ...ids, reason: 'removed' } };
  await of(added, removed).thenDocuments(directoryMembers, []);
  // Ended meanwhile: a change does not bring it back.
  await of(added, removed, { type: `${noun}MemberChanged`, data }).thenDocuments(directoryMembers, []);
});
