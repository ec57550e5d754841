import { react } from '@forgelog/testing/given-policy.ts';
import { on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { movedGroupVisibilityPolicies } from './moved-group-visibility.policy.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import { projectSlice } from './project.slice.ts';

const group = (groupId: number) =>
  on(`group-${groupId}`, {
    type: 'GroupCreated',
    data: {
      ...{ groupId, parentId: null, name: 'group', path: `group${groupId}`, fullPath: `group${groupId}` },
      ...{ description: '', visibility: 'public', creatorId: 1, ownerId: 1, settings: {} },
    },
  });
const within = (projectId: number, namespaceId: number) => {
  const { stream, event } = projectCreated(projectId, { visibility: 'public' });
  return on(stream, { ...event, data: { ...(event.data as object), namespaceId, ownerId: null } });
};

test('projects of a group that became less open say so, once, and no others', async () => {
  const moved = on('group-3', {
    type: 'GroupTransferred',
    data: {
      ...{ groupId: 3, fullPath: 'group5/group3', changes: { parentId: 5, visibility: 'internal' } },
      previous: { parentId: null, visibility: 'public' },
    },
  });
  const given = [group(3), group(5), within(7, 3), within(9, 5), moved];
  const { ports, repo } = await startRepoSlices([projectSlice], [userCreated(1), ...given]);
  const loaded = (id: number) => ports.commands.load(projectDecider, projectStream(id));
  const policies = movedGroupVisibilityPolicies(repo);
  await react(policies, moved);
  await react(policies, moved);
  expect(await loaded(7)).toMatchObject({ state: { visibility: 'internal' }, revision: 1 });
  expect(await loaded(9)).toMatchObject({ state: { visibility: 'public' }, revision: 0 });
});
