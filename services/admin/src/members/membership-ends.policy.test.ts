import { react } from '@forgelog/testing/given-policy.ts';
import {
  memberAdded,
  on,
  projectCreated,
  projectDeleted,
  type StreamedEvent,
  userCreated,
} from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { userDeleted } from '../testing/account-events.ts';
import { groupCreated, groupMemberAdded, inGroup } from '../testing/group-events.ts';
import { memberSlice } from './member.slice.ts';
import { membershipPolicies } from './membership-ends.policy.ts';
import { openMemberships } from './open-memberships.projection.ts';

const LEAVER = 2;
const OTHER = 3;
const people = [1, LEAVER, OTHER].map((id) => userCreated(id));
const inGroup5 = (userId: number) => inGroup(groupMemberAdded(5, userId, 30));
const groupDeleted = on('group-5', {
  type: 'GroupDeleted',
  data: { groupId: 5, parentId: null, path: 'group5', fullPath: 'group5' },
});

/** Reacts to the last of the events, and returns the keys of the memberships that are open then. */
async function openAfter(...given: StreamedEvent[]): Promise<string[]> {
  const { ports } = await startSlices([memberSlice], [...people, ...given]);
  await react(membershipPolicies(ports), given.at(-1)!);
  const open = await ports.readStore.find(openMemberships, { limit: 100 });
  return open.map(({ key }) => key);
}

/** Both in projects 7 and 8, and both in group 5 beside its owner. */
const memberships = [
  ...[projectCreated(7), projectCreated(8), inGroup(groupCreated(5))],
  ...[memberAdded(7, LEAVER, 30), memberAdded(7, OTHER, 30), memberAdded(8, LEAVER, 30)],
  ...[inGroup5(LEAVER), inGroup5(OTHER)],
];

test('a deleted user is no member of projects any more; another policy sees to their groups', async () => {
  expect(await openAfter(...memberships, userDeleted(LEAVER))).toEqual([
    ...['group-5-1', 'group-5-2', 'group-5-3'],
    'project-7-3',
  ]);
});

test('a deleted project has no members any more, and other projects keep theirs', async () => {
  expect(await openAfter(...memberships, projectDeleted(7))).toEqual([
    ...['group-5-1', 'group-5-2', 'group-5-3'],
    'project-8-2',
  ]);
});

test('a deleted group has no members any more, its owner among them', async () => {
  expect(await openAfter(...memberships, groupDeleted)).toEqual([
    'project-7-2',
    'project-7-3',
    'project-8-2',
  ]);
});

test.each([
  [
    'a project while its user was being deleted',
    [projectCreated(7), userDeleted(LEAVER), memberAdded(7, LEAVER, 30)],
  ],
  [
    'a project while that was being deleted',
    [projectCreated(7), projectDeleted(7), memberAdded(7, LEAVER, 30)],
  ],
])('a membership that began in %s ends', async (_, given) => {
  expect(await openAfter(...given)).toEqual([]);
});

test('a membership that began in a group while its user was being deleted ends, and no other', async () => {
  const group = inGroup(groupCreated(5));
  expect(await openAfter(group, inGroup5(OTHER), userDeleted(LEAVER), inGroup5(LEAVER))).toEqual([
    ...['group-5-1', 'group-5-3'],
  ]);
});

test('a new membership of a user who stays is left alone', async () => {
  expect(await openAfter(projectCreated(7), memberAdded(7, OTHER, 30))).toEqual(['project-7-3']);
  expect(await openAfter(inGroup(groupCreated(5)), inGroup5(OTHER))).toEqual(['group-5-1', 'group-5-3']);
});
