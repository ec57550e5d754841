import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { memberAdded, type StreamedEvent, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { groupDecider, groupStream } from '../groups/group.decider.ts';
import { groupCreated, groupMemberAdded, inGroup, projectInGroup } from '../testing/group-events.ts';
import { hasOwnerAbove, membershipsBelow, removeBelow, removeFromGroup } from './group-member.commands.ts';
import { memberSlice } from './member.slice.ts';

const [OWNER, AMY, BOB] = [1, 2, 3];
const clock = () => new Date('2030-01-10T12:00:00Z');

// Group 50 holds 51, which holds 52 and project 7; 60 is elsewhere. Amy is in all of them but 51.
const given = [
  ...[OWNER, AMY, BOB].map((id) => userCreated(id!)),
  ...[groupCreated(50), groupCreated(51, { parentId: 50 }), groupCreated(52, { parentId: 51 })].map(inGroup),
  ...[inGroup(groupCreated(60)), projectInGroup(7, 51), memberAdded(7, AMY!, 30)],
  ...[50, 52, 60].map((id) => inGroup(groupMemberAdded(id, AMY!, 30))),
];

async function started(more: readonly StreamedEvent[] = []) {
  const { ports } = await startSlices([memberSlice], [...given, ...more], { clock });
  const isIn = async (groupId: number, userId: number) => {
    const { state } = await ports.commands.load(groupDecider, groupStream(groupId));
    return state.status === 'present' && state.members.has(userId);
  };
  return { ports, isIn };
}
const removal = { groupId: 50, userId: AMY!, reason: 'removed' } as const;

test('another owner above counts, and neither the user nor one whose time is over', async () => {
  const ends = (day: string) => inGroup(groupMemberAdded(50, BOB!, 50, day));
  const { ports } = await started([ends('2030-01-11')]);
  expect(await hasOwnerAbove(ports, 51, AMY!)).toBe(true);
  expect(await hasOwnerAbove(ports, 50, AMY!)).toBe(false);
  const alone = [userCreated(4), inGroup(groupCreated(70)), inGroup(groupCreated(71, { parentId: 70 }))];
  const { ports: others } = await started(alone);
  expect(await hasOwnerAbove(others, 71, OWNER!)).toBe(false);
  const over = await started([...alone, inGroup(groupMemberAdded(70, BOB!, 50, '2030-01-10'))]);
  expect(await hasOwnerAbove(over.ports, 71, OWNER!)).toBe(false);
});

test('what lies below a group comes the deepest first, without the group itself', async () => {
  const { ports } = await started();
  const below = await membershipsBelow(ports, 50, AMY!);
  expect(below.map(({ source, sourceId }) => [source, sourceId])).toEqual([
    ['group', 52],
    ['project', 7],
  ]);
  expect(await membershipsBelow(ports, 60, AMY!)).toEqual([]);
});

test('a removal reaches all below, or the group alone', async () => {
  const { ports, isIn } = await started();
  await removeFromGroup(ports, { ...removal, withSubresources: false }, SYSTEM_METADATA);
  expect(await Promise.all([50, 52, 60].map((id) => isIn(id, AMY!)))).toEqual([false, true, true]);
  await removeBelow(ports, removal, SYSTEM_METADATA);
  expect(await Promise.all([52, 60].map((id) => isIn(id, AMY!)))).toEqual([false, true]);
  expect(await membershipsBelow(ports, 50, AMY!)).toEqual([]);
});

test('the last owner is refused before anything below is removed', async () => {
  const { ports, isIn } = await started([
    inGroup(groupCreated(90, { creatorId: BOB!, ownerId: BOB! })),
    ...[inGroup(groupCreated(91, { parentId: 90 })), inGroup(groupMemberAdded(91, BOB!, 30))],
  ]);
  const owner = { ...removal, groupId: 90, userId: BOB!, withSubresources: true };
  await expect(removeFromGroup(ports, owner, SYSTEM_METADATA)).rejects.toMatchObject({ status: 403 });
  expect(await Promise.all([90, 91].map((id) => isIn(id, BOB!)))).toEqual([true, true]);
});

test('a membership that ended meanwhile is passed over', async () => {
  const { ports, isIn } = await started();
  // The read model still has what the log has not.
  const late = {
    ...ports,
    readStore: {
      find: async () => [
        { source: 'project', sourceId: 8 },
        { source: 'group', sourceId: 52 },
      ],
    },
    directory: {
      project: async () => ({ ancestors: [50, 51] }),
      namespace: async () => ({ ancestors: [50, 51, 52] }),
    },
  } as never as typeof ports;
  await removeBelow(late, removal, SYSTEM_METADATA);
  expect(await isIn(52, AMY!)).toBe(false);
});
