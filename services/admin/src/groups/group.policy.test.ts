import { react } from '@forgelog/testing/given-policy.ts';
import { on, type StreamedEvent, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { groupCreated, groupMemberAdded, inGroup } from '../testing/group-events.ts';
import { type GroupState, groupDecider, groupStream } from './group.decider.ts';
import { groupPolicies } from './group.policy.ts';
import { groupSlice } from './group.slice.ts';

const LEAVER = 2;
const OTHER = 3;

const below = (groupId: number, parentId: number, fullPath: string) =>
  inGroup(groupCreated(groupId, { parentId, fullPath }));
const groupDeleted = (groupId: number, fullPath: string) =>
  on(`group-${groupId}`, {
    type: 'GroupDeleted',
    data: { groupId, parentId: null, path: `group${groupId}`, fullPath },
  });
const userDeleted = (hardDelete: boolean) => {
  const ids = { userId: LEAVER, namespaceId: 1000 + LEAVER };
  const data = { ...ids, username: 'user2', email: 'user2@example.org', hardDelete };
  return on(`user-${LEAVER}`, { type: 'UserDeleted', data });
};

async function started(given: readonly StreamedEvent[]) {
  const people = [1, LEAVER, OTHER].map((id) => userCreated(id));
  const { ports } = await startSlices([groupSlice], [...people, ...given]);
  const stateOf = async (groupId: number) =>
    (await ports.commands.load(groupDecider, groupStream(groupId))).state;
  return { policies: groupPolicies(ports), stateOf };
}

test('a deleted group takes its direct subgroups along', async () => {
  const deleted = groupDeleted(50, 'group50');
  const { policies, stateOf } = await started([
    ...[
      inGroup(groupCreated(50)),
      below(51, 50, 'group50/group51'),
      below(52, 51, 'group50/group51/group52'),
    ],
    ...[inGroup(groupCreated(60)), deleted],
  ]);
  await react(policies, deleted);
  const statuses = await Promise.all([51, 52, 60].map(stateOf));
  // The end of 51 is an event of its own, to which this policy reacts in turn.
  expect(statuses.map(({ status }) => status)).toEqual(['deleted', 'present', 'present']);
});

test('a group that began while its parent ended is deleted, and no other new one', async () => {
  const late = below(51, 50, 'group50/group51');
  const { policies, stateOf } = await started([
    ...[inGroup(groupCreated(50)), groupDeleted(50, 'group50'), late],
    ...[inGroup(groupCreated(60)), below(61, 60, 'group60/group61')],
  ]);
  for (const created of [late, inGroup(groupCreated(60)), below(61, 60, 'group60/group61')])
    await react(policies, created);
  const statuses = await Promise.all([51, 60, 61].map(stateOf));
  expect(statuses.map(({ status }) => status)).toEqual(['deleted', 'present', 'present']);
});

/** 50 has another owner, 60 has none, 70 has one above it in 50, and in 80 they are no owner. */
const memberships = [
  ...[inGroup(groupCreated(50)), inGroup(groupMemberAdded(50, LEAVER, 50))],
  inGroup(groupCreated(60, { creatorId: LEAVER, ownerId: LEAVER })),
  inGroup(groupCreated(70, { parentId: 50, creatorId: LEAVER, ownerId: LEAVER })),
  ...[inGroup(groupCreated(80)), inGroup(groupMemberAdded(80, LEAVER, 30))],
  inGroup(groupMemberAdded(80, OTHER, 30)),
];
const membersOf = (state: GroupState) => (state.status === 'present' ? [...state.members.keys()] : null);
const left = (state: GroupState) => membersOf(state)?.includes(LEAVER) === false;

test('a deleted user leaves their groups, also those that nobody owns then', async () => {
  const { policies, stateOf } = await started([...memberships, userDeleted(false)]);
  await react(policies, userDeleted(false));
  for (const groupId of [50, 60, 70, 80]) expect(await stateOf(groupId)).toSatisfy(left);
  expect(membersOf(await stateOf(80))).toContain(OTHER);
});

test('with all that a user contributed the groups go that they alone owned', async () => {
  const { policies, stateOf } = await started([...memberships, userDeleted(true)]);
  await react(policies, userDeleted(true));
  expect(await stateOf(60)).toMatchObject({ status: 'deleted' });
  for (const groupId of [50, 70, 80]) expect(await stateOf(groupId)).toSatisfy(left);
});

const transferred = (groupId: number, changes: object) =>
  on(`group-${groupId}`, {
    type: 'GroupTransferred',
    data: { groupId, fullPath: `group${groupId}`, changes, previous: null },
  });

test('a group that moved while its old or its new parent was deleted is deleted, and no other moved one', async () => {
  const [into, outOf, alive] = [51, 52, 53].map((id) => transferred(id, { parentId: id === 51 ? 70 : 60 }));
  const { policies, stateOf } = await started([
    ...[inGroup(groupCreated(50)), inGroup(groupCreated(60)), inGroup(groupCreated(70))],
    ...[below(51, 50, 'group50/group51'), below(52, 50, 'group50/group52'), inGroup(groupCreated(53))],
    ...[groupDeleted(70, 'group70'), into!, groupDeleted(50, 'group50'), outOf!, alive!],
  ]);
  for (const moved of [into!, outOf!, alive!]) await react(policies, moved);
  const statuses = await Promise.all([51, 52, 53].map(stateOf));
  expect(statuses.map(({ status }) => status)).toEqual(['deleted', 'deleted', 'present']);
});

test('groups below a moved one say that they are less open', async () => {
  const moved = transferred(50, { parentId: 60, visibility: 'internal' });
  const { policies, stateOf } = await started([
    ...[inGroup(groupCreated(50, { visibility: 'public' })), inGroup(groupCreated(60))],
    inGroup(groupCreated(51, { parentId: 50, visibility: 'public' })),
    ...[inGroup(groupCreated(52, { parentId: 51 })), moved],
  ]);
  await react(policies, moved);
  const states = await Promise.all([51, 52].map(stateOf));
  expect(states).toMatchObject([{ visibility: 'internal' }, { visibility: 'private' }]);
});
