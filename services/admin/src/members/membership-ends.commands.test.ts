import { eq } from '@forgelog/eventing/query.ts';
import { on, type StreamedEvent } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { groupDecider, groupStream } from '../groups/group.decider.ts';
import { due, going, noonOfToday, TODAY, TOMORROW } from '../testing/due-ends.ts';
import { groupCreated, groupMemberAdded, inGroup } from '../testing/group-events.ts';
import { memberSlice } from './member.slice.ts';
import { endMemberships } from './membership-ends.commands.ts';
import { projectMemberDecider, projectMemberStream } from './project-member.decider.ts';

const GROUP = 5;
const PROJECT = 7;

const inProject = (userId: number, expiresAt: string | null, projectId = PROJECT) =>
  on(`projectMember-${projectId}`, {
    type: 'ProjectMemberAdded',
    data: { projectId, userId, accessLevel: 30, expiresAt },
  });
const inTheGroup = (userId: number, expiresAt: string | null) =>
  inGroup(groupMemberAdded(GROUP, userId, 30, expiresAt));

async function started(...given: StreamedEvent[]) {
  const { ports } = await startSlices([memberSlice], [inGroup(groupCreated(GROUP)), ...given], {
    clock: noonOfToday,
  });
  const { commands } = ports;
  const ofProject = (id = PROJECT) => commands.load(projectMemberDecider, projectMemberStream(id));
  return {
    ports,
    ofProject,
    async membersOf(projectId = PROJECT) {
      return [...(await ofProject(projectId)).state.members.keys()].sort();
    },
    async membersOfGroup() {
      const { state } = await commands.load(groupDecider, groupStream(GROUP));
      return state.status === 'present' ? [...state.members.keys()].sort() : state.status;
    },
  };
}

test('memberships end whose day has come, and no others', async () => {
  const { ports, membersOf, membersOfGroup } = await started(
    ...[inProject(2, TODAY), inProject(3, TOMORROW), inProject(4, null)],
    ...[inTheGroup(2, TODAY), inTheGroup(3, TOMORROW)],
  );
  await endMemberships(ports, { ...due, signal: going() });
  expect(await membersOf()).toEqual([3, 4]);
  expect(await membersOfGroup()).toEqual([1, 3]);
});

test('all that match end with what they belong to, whatever their day', async () => {
  const { ports, membersOf, membersOfGroup } = await started(
    ...[inProject(2, TOMORROW), inProject(3, null), inTheGroup(2, null)],
  );
  await endMemberships(ports, { ...due, where: eq('userId', 2), reason: 'deleted', signal: going() });
  expect(await membersOf()).toEqual([3]);
  expect(await membersOfGroup()).toEqual([1]);
});

test('more than a batch of one place end once each, by two at the same time', async () => {
  const many = Array.from({ length: 101 }, (_, index) => index + 2);
  const { ports, ofProject } = await started(...many.map((userId) => inProject(userId, TODAY)));
  const before = Number((await ofProject()).revision);
  await Promise.all([
    endMemberships(ports, { ...due, signal: going() }),
    endMemberships(ports, { ...due, signal: going() }),
  ]);
  const { state, revision } = await ofProject();
  expect(state.members.size).toBe(0);
  expect(Number(revision) - before).toBe(many.length);
});

test('a server that stops leaves the other places for its next start', async () => {
  const { ports, membersOf } = await started(inProject(2, TODAY, 7), inProject(2, TODAY, 8));
  const stopping = new AbortController();
  const commands: typeof ports.commands = {
    ...ports.commands,
    handle(...command) {
      stopping.abort();
      return ports.commands.handle(...command);
    },
  };
  await expect(endMemberships({ ...ports, commands }, { ...due, signal: stopping.signal })).rejects.toThrow(
    'aborted',
  );
  expect([await membersOf(7), await membersOf(8)]).toEqual([[], [2]]);
  await endMemberships(ports, { ...due, signal: going() });
  expect(await membersOf(8)).toEqual([]);
});
