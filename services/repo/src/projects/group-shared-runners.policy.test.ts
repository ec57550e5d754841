import { react } from '@forgelog/testing/given-policy.ts';
import { on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { groupSharedRunnerPolicies } from './group-shared-runners.policy.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import { projectSlice } from './project.slice.ts';

const group = (groupId: number, parentId: number | null, fullPath: string) =>
  on(`group-${groupId}`, {
    type: 'GroupCreated',
    data: {
      ...{ groupId, parentId, name: 'group', path: `group${groupId}`, fullPath, description: '' },
      ...{ visibility: 'private', creatorId: 1, ownerId: 1, settings: {} },
    },
  });

const within = (projectId: number, namespaceId: number) => {
  const { stream, event } = projectCreated(projectId);
  return on(stream, { ...event, data: { ...(event.data as object), namespaceId, ownerId: null } });
};

const says = (shared_runners_setting: string) =>
  on('group-3', {
    type: 'GroupUpdated',
    data: { groupId: 3, changes: { settings: { shared_runners_setting } }, previous: null },
  });

async function start() {
  const given = [group(3, null, 'group3'), group(4, 3, 'group3/group4'), group(5, null, 'group5')];
  const projects = [within(7, 3), within(8, 4), within(9, 5)];
  const { ports, repo } = await startRepoSlices([projectSlice], [userCreated(1), ...given, ...projects]);
  const shared = async () => {
    const states = await Promise.all(
      [7, 8, 9].map((id) => ports.commands.load(projectDecider, projectStream(id))),
    );
    return states.map(
      ({ state }) => state.status === 'present' && (state.settings.shared_runners_enabled ?? true),
    );
  };
  return { ports, shared, tell: (setting: string) => react(groupSharedRunnerPolicies(repo), says(setting)) };
}

test('a group turns shared runners off in all projects below it, and in no other', async () => {
  const { shared, tell } = await start();
  await tell('disabled_with_override');
  expect(await shared()).toEqual([false, false, true]);
});

test('other values of a group leave the settings of projects as they are', async () => {
  const { shared, tell } = await start();
  await tell('disabled_and_unoverridable');
  await tell('enabled');
  expect(await shared()).toEqual([true, true, true]);
});
