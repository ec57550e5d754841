import {
  createGroup,
  getGroup,
  listSubgroups,
  transferGroup,
  transferProjectToGroup,
} from '@forgelog/contracts/admin/groups/group.api.ts';
import { moveProjectToGroup } from '@forgelog/contracts/repo/projects/project.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { implementOperation } from '@forgelog/service-kit/operations.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { on, userCreated } from '@forgelog/testing/sample-events.ts';
import { type Reply, startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { groupCreated, groupMemberAdded, inGroup, projectInGroup } from '../testing/group-events.ts';
import { projectsOfGroups } from '../testing/projects-of-groups.slice.ts';
import { userSlice } from '../users/user.slice.ts';
import { groupSlice } from './group.slice.ts';

const [OWNER, MAINTAINER, LIMITED, OUTSIDER] = [1, 3, 6, 5] as const;
/** 60 asks for an owner, 70 is another's, 51 is below 50 and 52 below that. */
const given = [
  ...[OWNER, MAINTAINER, LIMITED, OUTSIDER].map((id) => userCreated(id)),
  on(`user-${LIMITED}`, {
    type: 'UserUpdated',
    data: {
      ...{ userId: LIMITED, changes: { profile: { can_create_group: false } } },
      ...{ previous: null, withheldChanges: [] },
    },
  }),
  inGroup(groupCreated(50, { visibility: 'public' })),
  inGroup(groupCreated(51, { parentId: 50, visibility: 'public', creatorId: null })),
  inGroup(groupCreated(52, { parentId: 51, visibility: 'public', creatorId: null })),
  inGroup(groupCreated(60, { settings: { subgroup_creation_level: 'owner' } })),
  inGroup(groupCreated(70, { creatorId: OUTSIDER })),
  inGroup(groupMemberAdded(50, LIMITED, 50)),
  ...[50, 60].map((id) => inGroup(groupMemberAdded(id, MAINTAINER, 40))),
];
const moves: unknown[] = [];
const mover = defineSlice<ServicePorts>({
  operations: [
    () => [
      implementOperation(moveProjectToGroup, async ({ request, principal }) => {
        moves.push({ ...request, as: principal?.userId });
        return { moved: true as const };
      }),
    ],
  ],
});
const start = (more: typeof given = []) =>
  startSlices([userSlice, groupSlice, projectsOfGroups(), mover], [...given, ...more]);
const ofGroups = ({ events }: Reply) => events.filter(({ type }) => type.startsWith('Group'));

test('a group moves into another one and to the top, with what is below', async () => {
  const { call, ports } = await start();
  const moved = await call(transferGroup, { id: 51, group_id: 60 }, OWNER);
  expect(moved).toMatchObject({
    status: 201,
    body: { id: 51, full_path: 'group60/group51', parent_id: 60, visibility: 'private' },
  });
  expect(ofGroups(moved)).toEqual([
    {
      type: 'GroupTransferred',
      data: {
        ...{ groupId: 51, fullPath: 'group60/group51' },
        changes: { parentId: 60, visibility: 'private' },
        previous: { parentId: 50, visibility: 'public' },
      },
    },
  ]);
  expect((await call(getGroup, { id: 'group60/group51/group52' }, OWNER)).body).toMatchObject({ id: 52 });
  expect((await call(getGroup, { id: 'group50/group51' }, OWNER)).status).toBe(404);
  expect((await call(getGroup, { id: 52 }, OUTSIDER)).status).toBe(404);
  expect(await ports.directory.groupLevel(LIMITED, 52)).toBe(0);
  const below = async (id: number) =>
    (await call(listSubgroups, { id }, OWNER)).body.map((one: { id: number }) => one.id);
  expect([await below(50), await below(60)]).toEqual([[], [51]]);
  const top = await call(transferGroup, { id: 51 }, OWNER);
  expect(top).toMatchObject({ status: 201, body: { full_path: 'group51', parent_id: null } });
  // Its owners were all above it.
  expect(ofGroups(top)).toMatchObject([
    { type: 'GroupTransferred' },
    { type: 'GroupMemberAdded', data: { groupId: 51, userId: OWNER, accessLevel: 50 } },
  ]);
  expect(await ports.directory.groupLevel(MAINTAINER, 52)).toBe(0);
});

test('a group that moves below one without shared runners keeps them out too', async () => {
  const settings = { shared_runners_setting: 'disabled_with_override' } as const;
  const { call } = await start([
    inGroup(groupCreated(80, { settings })),
    inGroup(groupCreated(81, { parentId: 80, creatorId: null })),
  ]);
  await call(transferGroup, { id: 51, group_id: 81 }, OWNER);
  expect((await call(getGroup, { id: 51 }, OWNER)).body).toMatchObject({ parent_id: 81, ...settings });
  await call(transferGroup, { id: 51, group_id: 50 }, OWNER);
  expect((await call(getGroup, { id: 51 }, OWNER)).body).toMatchObject({ parent_id: 50, ...settings });
});

test('what is wrong with a transfer is said, and changes nothing', async () => {
  const { call } = await start();
  await call(createGroup, { name: 'Taken', path: 'GROUP51', parent_id: 60 }, OWNER);
  const failed = (why: string) => ({ message: `Transfer failed: ${why}` });
  for (const [id, group_id, as, status, body] of [
    [50, undefined, OWNER, 400, failed('Group is already a root group.')],
    [51, 50, OWNER, 400, failed('Group is already associated to the parent group.')],
    [50, 52, OWNER, 400, failed('Cannot transfer group to one of its subgroup.')],
    [50, 50, OWNER, 400, failed('Cannot transfer group to one of its subgroup.')],
    [51, 60, OWNER, 400, failed('The parent group already has a subgroup or a project with the same path.')],
    [51, undefined, LIMITED, 400, failed("You don't have enough permissions.")],
    [51, 60, LIMITED, 404, { message: '404 Group Not Found' }],
    [51, 70, OWNER, 404, { message: '404 Group Not Found' }],
    [51, 999, OWNER, 404, { message: '404 Group Not Found' }],
    [51, 60, MAINTAINER, 403, { message: '403 Forbidden' }],
    [70, 50, OWNER, 404, { message: '404 Group Not Found' }],
  ] as const)
    expect(await call(transferGroup, { id, group_id }, as), `${id} to ${group_id}`).toMatchObject({
      ...{ status, body, events: [] },
    });
});

test('of transfers at once that would close a circle, one is left out', async () => {
  const ring = [80, 81, 82, 83];
  const { call, ports } = await start(ring.map((id) => inGroup(groupCreated(id))));
  const replies = await Promise.all(
    ring.map((id, at) => call(transferGroup, { id, group_id: ring[(at + 1) % ring.length]! }, OWNER)),
  );
  const statuses = replies.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([201, 201, 201, 400]);
  const places = await Promise.all(ring.map((id) => ports.directory.namespace(id)));
  expect(places.map((place) => place?.ancestors?.length).toSorted()).toEqual([1, 2, 3, 4]);
});

test('a project is moved by its owner, whom its service asks again', async () => {
  const { call } = await start([projectInGroup(7, 52)]);
  const moved = await call(transferProjectToGroup, { id: 60, project_id: 7 }, OWNER);
  expect(moved).toMatchObject({ status: 201, body: { id: 60 } });
  expect(moves).toEqual([{ projectId: 7, groupId: 60, as: OWNER }]);
  const refused = async (id: number, project_id: number, as?: number) =>
    (await call(transferProjectToGroup, { id, project_id }, as)).status;
  expect(await refused(60, 7, MAINTAINER)).toBe(403);
  expect(await refused(50, 7, OUTSIDER)).toBe(404);
  expect(await refused(60, 999, OWNER)).toBe(404);
  expect(await refused(50, 7)).toBe(401);
  expect(moves).toHaveLength(1);
});
