import {
  createGroup,
  deleteGroup,
  getGroup,
  updateGroup,
} from '@forgelog/contracts/admin/groups/group.api.ts';
import { createUser } from '@forgelog/contracts/admin/users/user.api.ts';
import { on, userCreated } from '@forgelog/testing/sample-events.ts';
import { type Reply, startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { groupCreated, groupMemberAdded, inGroup, projectInGroup } from '../testing/group-events.ts';
import { projectsOfGroups } from '../testing/projects-of-groups.slice.ts';
import { userSlice } from '../users/user.slice.ts';
import { groupSlice } from './group.slice.ts';

const OWNER = 1;
const ADMIN = 2;
const MAINTAINER = 3;
const DEVELOPER = 4;
const OUTSIDER = 5;
const LIMITED = 6;
// New groups count from 1. Group 50 is public, with the private 51 below; 60 is private, and only its owners may create below.
const given = [
  ...[OWNER, MAINTAINER, DEVELOPER, OUTSIDER, LIMITED].map((id) => userCreated(id)),
  on(`user-${LIMITED}`, {
    type: 'UserUpdated',
    data: {
      userId: LIMITED,
      changes: { profile: { can_create_group: false } },
      ...{ previous: null, withheldChanges: [] },
    },
  }),
  userCreated(ADMIN, { admin: true }),
  inGroup(groupCreated(50, { visibility: 'public' })),
  inGroup(groupCreated(51, { parentId: 50 })),
  inGroup(groupCreated(60, { settings: { subgroup_creation_level: 'owner' } })),
  ...[50, 60].flatMap((id) => [
    inGroup(groupMemberAdded(id, MAINTAINER, 40)),
    inGroup(groupMemberAdded(id, DEVELOPER, 30)),
  ]),
];

const slices = [userSlice, groupSlice, projectsOfGroups()];
const start = (more: typeof given = []) => startSlices(slices, [...given, ...more]);
const wanted = { name: 'My Team', path: 'my-team' };
/** Claims of names aside. */
const ofGroups = ({ events }: Reply) => events.filter(({ type }) => type.startsWith('Group'));

test('a group is created with its defaults, and owned by its creator', async () => {
  const { call, ports } = await start();
  const created = await call(createGroup, wanted, OUTSIDER);
  expect(created).toMatchObject({
    status: 201,
    body: {
      ...{ id: 1, ...wanted, full_name: 'My Team', full_path: 'my-team', parent_id: null },
      ...{ visibility: 'private', description: '', two_factor_grace_period: 48, shared_projects: [] },
      ...{ project_creation_level: 'developer', auto_devops_enabled: null, shared_with_groups: [] },
    },
  });
  expect(ofGroups(created)).toMatchObject([
    { type: 'GroupCreated', data: { groupId: 1, creatorId: OUTSIDER } },
    { type: 'GroupMemberAdded', data: { groupId: 1, userId: OUTSIDER, accessLevel: 50 } },
  ]);
  expect(await ports.directory.groupLevel(OUTSIDER, 1)).toBe(50);
  expect((await call(getGroup, { id: 'MY-TEAM' }, OUTSIDER)).body).toEqual(created.body);
});

test('a group keeps what it is given', async () => {
  const { call } = await start();
  const settings = {
    ...{ description: 'd', visibility: 'internal', share_with_group_lock: true, two_factor_grace_period: 3 },
    ...{
      require_two_factor_authentication: true,
      project_creation_level: 'noone',
      auto_devops_enabled: false,
    },
    ...{ subgroup_creation_level: 'owner', emails_disabled: true, mentions_disabled: false },
    ...{ request_access_enabled: false, default_branch_protection: 0 },
  };
  expect((await call(createGroup, { ...wanted, ...settings }, OWNER)).body).toMatchObject(settings);
});

test('a group at the top needs an account that may create groups', async () => {
  const { call } = await start();
  expect(await call(createGroup, wanted, LIMITED)).toMatchObject({
    ...{ status: 403, body: { message: '403 Forbidden' }, events: [] },
  });
  expect(await call(createGroup, wanted)).toMatchObject({ status: 401, events: [] });
});

test('a subgroup needs the level that its parent asks for', async () => {
  const { call } = await start();
  let attempts = 0;
  const attempt = async (parent_id: number, caller: number) =>
    (await call(createGroup, { name: 's', path: `s${++attempts}`, parent_id }, caller)).status;
  expect(await attempt(50, MAINTAINER)).toBe(201);
  expect(await attempt(50, DEVELOPER)).toBe(403);
  expect(await attempt(50, OUTSIDER)).toBe(403);
  expect(await attempt(60, OWNER)).toBe(201);
  expect(await attempt(60, MAINTAINER)).toBe(403);
  expect(await attempt(60, OUTSIDER)).toBe(404);
  expect(await attempt(99, OWNER)).toBe(404);
});

test('a group that cannot be saved is refused in words that clients know', async () => {
  const { call } = await start();
  await call(createGroup, wanted, OWNER);
  const saving = (problem: string) => ({ message: `Failed to save group {${problem}}` });
  const taken = saving(':path=>["has already been taken"]');
  for (const [wrong, body] of [
    [{ path: 'MY-TEAM' }, taken],
    [{ path: 'admin' }, saving(':path=>["admin is a reserved name"]')],
    [{ visibility: 'secret', path: 'x' }, { error: 'visibility does not have a valid value' }],
    [{ name: undefined, path: undefined }, { error: 'name is missing, path is missing' }],
    [
      { parent_id: 60, visibility: 'public' },
      { message: expect.stringContaining('public is not allowed since the parent group has private') },
    ],
  ] as const)
    expect(await call(createGroup, { ...wanted, ...wrong }, OWNER)).toMatchObject({
      ...{ status: 400, body, events: [] },
    });
});

test('users and groups share one space of names', async () => {
  // Without the other users, whose ids the new one would have.
  const { call } = await startSlices(slices, [userCreated(ADMIN, { admin: true })]);
  const person = { name: 'Eve', email: 'eve@example.org', reset_password: true };
  expect((await call(createUser, { ...person, username: 'eve' }, ADMIN)).status).toBe(201);
  expect((await call(createGroup, { name: 'x', path: 'EVE' }, ADMIN)).status).toBe(400);
  expect((await call(createGroup, wanted, ADMIN)).status).toBe(201);
  const other = { ...person, username: 'My-Team', email: 'other@example.org' };
  expect((await call(createUser, other, ADMIN)).status).toBe(409);
});

test('a path is taken once below each parent', async () => {
  const { call } = await start();
  const statuses = [];
  for (const parent_id of [50, 50, 60, 51])
    statuses.push((await call(createGroup, { name: 'x', path: 'api', parent_id }, OWNER)).status);
  expect(statuses).toEqual([201, 400, 201, 201]);
  const { id } = (await call(createGroup, { name: 'x', path: 'other', parent_id: 50 }, OWNER)).body;
  expect((await call(updateGroup, { id, path: 'API' }, OWNER)).status).toBe(400);
});

test('an owner changes what they name and nothing else', async () => {
  const { call } = await start();
  const changes = { name: 'New', description: 'd', shared_runners_setting: 'disabled_with_override' };
  const changed = await call(updateGroup, { id: 50, ...changes }, OWNER);
  expect(changed).toMatchObject({
    status: 200,
    body: { id: 50, ...changes, full_name: 'New', path: 'group50', visibility: 'public' },
    events: [{ type: 'GroupUpdated', data: { groupId: 50 } }],
  });
  expect(await call(updateGroup, { id: 50, ...changes, avatar: '' }, OWNER)).toMatchObject({
    ...{ status: 200, events: [] },
  });
});

test('only owners change and delete a group', async () => {
  const { call } = await start();
  for (const endpoint of [updateGroup, deleteGroup]) {
    for (const caller of [MAINTAINER, OUTSIDER])
      expect(await call(endpoint, { id: 50 }, caller)).toMatchObject({ status: 403, events: [] });
    expect(await call(endpoint, { id: 60 }, OUTSIDER)).toMatchObject({ status: 404, events: [] });
    expect(await call(endpoint, { id: 50 })).toMatchObject({ status: 401, events: [] });
  }
});

test('a new path moves what lies below and frees the old one', async () => {
  const { call } = await start();
  const { id } = (await call(createGroup, wanted, OWNER)).body;
  const child = (await call(createGroup, { name: 'c', path: 'c', parent_id: id }, OWNER)).body;
  await call(createGroup, { name: 's', path: 'sits' }, OWNER);
  expect(await call(updateGroup, { id, path: 'sits' }, OWNER)).toMatchObject({
    ...{ status: 400, body: { message: { path: ['has already been taken'] } }, events: [] },
  });
  expect(await call(updateGroup, { id, path: 'a/b' }, OWNER)).toMatchObject({ status: 400, events: [] });
  expect((await call(updateGroup, { id, path: 'moved' }, OWNER)).body.full_path).toBe('moved');
  expect((await call(getGroup, { id: child.id }, OWNER)).body.full_path).toBe('moved/c');
  expect((await call(getGroup, { id: 'my-team' }, OWNER)).status).toBe(404);
  expect((await call(createGroup, wanted, OWNER)).status).toBe(201);
  expect((await call(updateGroup, { id, path: 'MOVED' }, OWNER)).body.full_path).toBe('MOVED');
});

test('a group is at most as open as its parent, and at least as open as what it holds', async () => {
  const { call } = await start([
    inGroup(groupCreated(70, { visibility: 'internal' })),
    inGroup(groupCreated(71, { parentId: 70, visibility: 'internal' })),
    projectInGroup(7, 50, 'public'),
  ]);
  for (const [id, visibility, problem] of [
    [71, 'public', 'since the parent group has internal visibility.'],
    [70, 'private', 'since there are sub-groups with higher visibility.'],
    [50, 'internal', 'since this group contains projects with higher visibility.'],
  ] as const)
    expect(await call(updateGroup, { id, visibility }, OWNER)).toMatchObject({
      status: 400,
      body: { message: { visibility_level: [`${visibility} is not allowed ${problem}`] } },
      events: [],
    });
  await call(updateGroup, { id: 71, visibility: 'private' }, OWNER);
  expect((await call(updateGroup, { id: 70, visibility: 'private' }, OWNER)).status).toBe(200);
});

test('a deleted group is gone at once with all below it', async () => {
  const { call } = await start([inGroup(groupCreated(52, { parentId: 51 }))]);
  expect(await call(deleteGroup, { id: 50 }, OWNER)).toMatchObject({
    status: 202,
    body: { message: '202 Accepted' },
    events: [{ type: 'GroupDeleted', data: { groupId: 50, parentId: null, fullPath: 'group50' } }],
  });
  for (const id of [50, 51, 52]) expect((await call(getGroup, { id }, ADMIN)).status).toBe(404);
  expect((await call(deleteGroup, { id: 50 }, OWNER)).status).toBe(404);
});
