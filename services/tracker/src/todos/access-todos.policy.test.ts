import type {
  GroupAccessRequestEvent,
  ProjectAccessRequestEvent,
} from '@forgelog/contracts/admin/access-requests/access-request.events.ts';
import { listTodos, markTodoDone } from '@forgelog/contracts/tracker/todos/todo.api.ts';
import { getUserCounts } from '@forgelog/contracts/tracker/user-counts/user-counts.api.ts';
import { react } from '@forgelog/testing/given-policy.ts';
import {
  groupCreated,
  groupMemberAdded,
  memberAdded,
  on,
  projectCreated,
  projectDeleted,
  type StreamedEvent,
  userCreated,
} from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { issueSlice } from '../issues/issue.slice.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { mergeRequestSlice } from '../merge-requests/merge-request.slice.ts';
import { userCountsSlice } from '../user-counts/user-counts.slice.ts';
import { accessTodoDecider, accessTodoStream } from './access-todo.decider.ts';
import { accessTodoPolicies } from './access-todos.policy.ts';
import { todoSlice } from './todo.slice.ts';

const [OWNER, MAINTAINER, DEVELOPER, ASKER, GROUP_OWNER, ADMIN] = [1, 2, 3, 4, 5, 6];
const [PROJECT, GROUP, BELOW] = [7, 40, 41];
const slices = [issueSlice, mergeRequestSlice, todoSlice([issueTarget]), userCountsSlice([issueTarget])];
const people = [
  ...[OWNER, MAINTAINER, DEVELOPER, ASKER, GROUP_OWNER].map((id) => userCreated(id)),
  userCreated(ADMIN, { admin: true }),
];
const given = [
  ...people,
  ...[projectCreated(PROJECT), memberAdded(PROJECT, MAINTAINER, 40), memberAdded(PROJECT, DEVELOPER, 30)],
  ...[groupCreated(GROUP), groupCreated(BELOW, { parentId: GROUP })],
  ...[groupMemberAdded(GROUP, GROUP_OWNER, 50), groupMemberAdded(GROUP, MAINTAINER, 40)],
];

const atProject = (event: ProjectAccessRequestEvent) => on(`projectMember-${PROJECT}`, event);
const atGroup = (groupId: number, event: GroupAccessRequestEvent) => on(`group-${groupId}`, event);
const askedProject = atProject({
  type: 'ProjectAccessRequestCreated',
  data: { projectId: PROJECT, userId: ASKER },
});
const askedGroup = atGroup(BELOW, {
  type: 'GroupAccessRequestCreated',
  data: { groupId: BELOW, userId: ASKER },
});
const endOf = (reason: 'denied' | 'withdrawn') =>
  atProject({ type: 'ProjectAccessRequestDeleted', data: { projectId: PROJECT, userId: ASKER, reason } });

async function started(...more: StreamedEvent[]) {
  const running = await startSlices(slices, [...given, ...more]);
  const policies = accessTodoPolicies(running.ports);
  const list = async (userId: number, params: Record<string, unknown> = {}) =>
    (await running.call(listTodos, params, userId)).body as { id: number; action_name: string }[];
  const seen: StreamedEvent[] = [];
  /** The policies' reaction; to the same event again, as after a restart. */
  const after = (event: StreamedEvent) => {
    if (!seen.includes(event)) seen.push(event);
    return react(policies, event, 1 + seen.indexOf(event));
  };
  return { ...running, list, after };
}

test('who may accept a request for access to a project is asked, each once', async () => {
  const { after, list, call, ports } = await started(askedProject);
  await after(askedProject);
  for (const id of [OWNER, MAINTAINER])
    expect(await list(id)).toMatchObject([
      {
        ...{ action_name: 'member_access_requested', target_type: 'Project', body: 'user1/project7' },
        ...{ state: 'pending', author: { id: ASKER }, project: { id: PROJECT }, target: { id: PROJECT } },
        target_url: `${ports.host}/user1/project7/-/project_members?tab=access_requests`,
      },
    ]);
  for (const id of [DEVELOPER, ASKER, GROUP_OWNER, ADMIN]) expect(await list(id)).toEqual([]);
  expect((await call(getUserCounts, {}, OWNER)).body).toMatchObject({ todos: 1 });
});

test('a group above gives owners who decide about a group below, and maintainers decide nothing there', async () => {
  const { after, list, ports } = await started(askedGroup);
  await after(askedGroup);
  expect(await list(GROUP_OWNER)).toMatchObject([
    {
      ...{ target_type: 'Namespace', body: 'group40/group41', group: { id: BELOW, kind: 'group' } },
      target: { id: BELOW, full_path: 'group40/group41' },
      target_url: `${ports.host}/groups/group40/group41/-/group_members?tab=access_requests`,
    },
  ]);
  expect((await list(GROUP_OWNER))[0]).not.toHaveProperty('project');
  expect(await list(MAINTAINER)).toEqual([]);
  expect(await list(GROUP_OWNER, { group_id: GROUP })).toHaveLength(1);
  expect(await list(GROUP_OWNER, { type: 'Namespace' })).toHaveLength(1);
  expect(await list(GROUP_OWNER, { action: 'member_access_requested' })).toHaveLength(1);
  expect(await list(GROUP_OWNER, { type: 'Project' })).toEqual([]);
  expect(await list(GROUP_OWNER, { project_id: PROJECT })).toEqual([]);
});

test.each([
  ['accepted', memberAdded(PROJECT, ASKER, 30)],
  ['denied', endOf('denied')],
  ['withdrawn', endOf('withdrawn')],
])('a request that is %s is no longer to be decided', async (_, end) => {
  const { after, list } = await started(askedProject);
  await after(askedProject);
  await after(end);
  for (const id of [OWNER, MAINTAINER]) {
    expect(await list(id)).toEqual([]);
    expect(await list(id, { state: 'done' })).toHaveLength(1);
  }
});

test('the end of another request leaves it alone, and whoever joins unasked changes nothing', async () => {
  const { after, list } = await started(askedProject);
  await after(askedProject);
  await after(memberAdded(PROJECT, GROUP_OWNER, 30));
  await after(groupMemberAdded(GROUP, ASKER, 30));
  expect(await list(OWNER)).toHaveLength(1);
});

test('an item is ticked off for its owner alone, and does not come back by itself', async () => {
  const { after, list, call } = await started(askedProject);
  await after(askedProject);
  const [{ id } = { id: 0 }] = await list(OWNER);
  expect((await call(markTodoDone, { id }, MAINTAINER)).status).toBe(404);
  expect(await call(markTodoDone, { id }, OWNER)).toMatchObject({
    ...{ status: 201, body: { state: 'done' } },
    events: [{ type: 'AccessTodoDone' }],
  });
  await after(askedProject);
  expect(await list(OWNER)).toEqual([]);
  expect(await list(MAINTAINER)).toHaveLength(1);
});

test('an item goes with the right to decide', async () => {
  const lost = on(`projectMember-${PROJECT}`, {
    type: 'ProjectMemberChanged',
    data: {
      ...{
        projectId: PROJECT,
        userId: MAINTAINER,
        accessLevel: 30,
        previousAccessLevel: 40,
        expiresAt: null,
      },
      ...{ changes: { accessLevel: 30 }, previous: { accessLevel: 40 } },
    },
  });
  const removed = on(`group-${GROUP}`, {
    type: 'GroupMemberRemoved',
    data: { groupId: GROUP, userId: GROUP_OWNER, reason: 'removed' },
  });
  const { after, list, call, tell } = await started(askedProject, askedGroup);
  await after(askedProject);
  await after(askedGroup);
  const [{ id } = { id: 0 }] = await list(MAINTAINER);
  await tell(lost);
  await tell(removed);
  expect(await list(MAINTAINER)).toEqual([]);
  expect((await call(markTodoDone, { id }, MAINTAINER)).status).toBe(404);
  expect((await call(getUserCounts, {}, MAINTAINER)).body).toMatchObject({ todos: 0 });
  expect(await list(GROUP_OWNER)).toEqual([]);
  expect(await list(OWNER)).toHaveLength(1);
});

test('an item is gone with its place, with who asks and with who decides', async () => {
  const { after, list, tell } = await started(askedProject, askedGroup);
  await after(askedProject);
  await after(askedGroup);
  await tell(
    on(`user-${ASKER}`, {
      type: 'UserDeleted',
      data: {
        userId: ASKER,
        namespaceId: 1004,
        username: 'user4',
        email: 'user4@example.com',
        hardDelete: false,
      },
    }),
  );
  for (const id of [OWNER, MAINTAINER, GROUP_OWNER]) expect(await list(id)).toEqual([]);
  const second = await started(askedProject);
  await second.after(askedProject);
  await second.tell(projectDeleted(PROJECT));
  expect(await second.list(MAINTAINER)).toEqual([]);
});

test('of a place with very many owners some are asked', async () => {
  const many = Array.from({ length: 150 }, (_, at) => 1000 + at);
  const { after, ports } = await started(
    ...many.flatMap((id) => [userCreated(id), memberAdded(PROJECT, id, 40)]),
    askedProject,
  );
  await after(askedProject);
  const { state } = await ports.commands.load(
    accessTodoDecider,
    accessTodoStream({ targetType: 'Project', targetId: PROJECT, authorId: ASKER }),
  );
  expect(state.size).toBe(100);
  expect(state.has(OWNER)).toBe(true);
});
