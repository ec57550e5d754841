import { react } from '@forgelog/testing/given-policy.ts';
import {
  on,
  projectCreated,
  projectDeleted,
  type StreamedEvent,
  userCreated,
} from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import { projectPolicies } from './project.policy.ts';
import { projectSlice } from './project.slice.ts';

const GROUP = 3;
const SUBGROUP = 4;

const groupCreated = (groupId: number, parentId: number | null, fullPath: string) =>
  on(`group-${groupId}`, {
    type: 'GroupCreated',
    data: {
      ...{ groupId, parentId, name: 'group', path: `group${groupId}`, fullPath, description: '' },
      ...{ visibility: 'private', creatorId: 1, ownerId: 1, settings: {} },
    },
  });
const groupDeleted = on(`group-${GROUP}`, {
  type: 'GroupDeleted',
  data: { groupId: GROUP, parentId: null, path: 'group3', fullPath: 'group3' },
});
const userDeleted = on('user-1', {
  type: 'UserDeleted',
  data: { userId: 1, namespaceId: 1001, username: 'user1', email: 'user1@example.org', hardDelete: true },
});

function placed(projectId: number, namespaceId: number, storage = 'default'): StreamedEvent {
  const { stream, event } = projectCreated(projectId);
  const data = { ...(event.data as object), namespaceId, ownerId: null, storage };
  return on(stream, { ...event, data });
}

async function started(given: readonly StreamedEvent[]) {
  const { ports, repo } = await startRepoSlices([projectSlice], given);
  repo.repositories.open();
  const statusOf = async (projectId: number) =>
    (await ports.commands.load(projectDecider, projectStream(projectId))).state.status;
  const isThere = (projectId: number) => repo.repositories.of(projectId).exists();
  return { policies: projectPolicies(repo), statusOf, isThere };
}

test('a deleted user takes the projects of their namespace along, and no others', async () => {
  const { policies, statusOf } = await started([
    ...[userCreated(1), userCreated(2)],
    ...[projectCreated(7), projectCreated(8), projectCreated(9, { ownerId: 2 })],
    userDeleted,
  ]);
  await react(policies, userDeleted);
  expect(await Promise.all([7, 8, 9].map(statusOf))).toEqual(['deleted', 'deleted', 'present']);
});

test('a deleted group takes the projects of its subgroups along, those of this storage', async () => {
  const { policies, statusOf } = await started([
    ...[userCreated(1), groupCreated(GROUP, null, 'group3'), groupCreated(SUBGROUP, GROUP, 'group3/group4')],
    ...[placed(7, GROUP), placed(8, SUBGROUP), placed(9, GROUP, 'second'), projectCreated(10)],
    groupDeleted,
  ]);
  await react(policies, groupDeleted);
  expect(await Promise.all([7, 8, 9, 10].map(statusOf))).toEqual([
    ...['deleted', 'deleted'],
    ...['present', 'present'],
  ]);
});

test('the repository of a deleted project goes, wherever it was created', async () => {
  const { policies, isThere } = await started([userCreated(1), projectCreated(7), projectCreated(8)]);
  await react(policies, projectDeleted(7));
  expect([await isThere(7), await isThere(8)]).toEqual([false, true]);
  const { stream, event } = projectDeleted(8);
  await react(policies, on(stream, { ...event, data: { ...(event.data as object), storage: 'second' } }));
  expect(await isThere(8)).toBe(false);
});
