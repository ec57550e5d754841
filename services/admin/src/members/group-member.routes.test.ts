import {
  addGroupMember,
  changeGroupMember,
  getAnyGroupMember,
  getGroupMember,
  listAllGroupMembers,
  listGroupMembers,
  removeGroupMember,
} from '@forgelog/contracts/admin/members/group-member.api.ts';
import {
  getProjectMember,
  listAllProjectMembers,
} from '@forgelog/contracts/admin/members/project-member.api.ts';
import { memberAdded, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { groupCreated, groupMemberAdded, inGroup, projectInGroup } from '../testing/group-events.ts';
import { memberSlice } from './member.slice.ts';

const OWNER = 1;
const AMY = 2;
const BOB = 3;
const CID = 4;
const OUTSIDER = 5;
const MINIMAL = 6;
// Group 50 holds group 51, which holds project 7. Group 60 is elsewhere.
const given = [
  ...[OWNER, AMY, BOB, CID, OUTSIDER, MINIMAL].map((id) => userCreated(id)),
  inGroup(groupCreated(50)),
  inGroup(groupCreated(51, { parentId: 50, creatorId: null })),
  inGroup(groupCreated(60)),
  projectInGroup(7, 51),
  ...[groupMemberAdded(50, AMY, 20), groupMemberAdded(50, BOB, 40), groupMemberAdded(50, MINIMAL, 5)].map(
    inGroup,
  ),
  ...[groupMemberAdded(51, AMY, 30), groupMemberAdded(60, AMY, 30)].map(inGroup),
  memberAdded(7, BOB, 10),
  memberAdded(7, CID, 10),
];
const start = (more: typeof given = []) => startSlices([memberSlice], [...given, ...more]);
const second = inGroup(groupMemberAdded(50, CID, 50));
const levels = (body: { id: number; access_level: number }[]) =>
  body.map(({ id, access_level }) => [id, access_level]);

test('an owner adds, changes and removes a member', async () => {
  const { call } = await start();
  const cid = { id: 50, user_id: CID };
  const added = await call(addGroupMember, { ...cid, access_level: 30, expires_at: '2999-01-31' }, OWNER);
  expect(added).toMatchObject({
    status: 201,
    body: { id: CID, username: 'user4', access_level: 30, expires_at: '2999-01-31' },
    events: [{ type: 'GroupMemberAdded', data: { groupId: 50, userId: CID, accessLevel: 30 } }],
  });
  expect(await call(changeGroupMember, { ...cid, access_level: 50 }, OWNER)).toMatchObject({
    status: 200,
    body: { access_level: 50, expires_at: '2999-01-31' },
    events: [{ type: 'GroupMemberChanged' }],
  });
  expect((await call(getGroupMember, cid, CID)).body).toEqual({ ...added.body, access_level: 50 });
  expect(await call(removeGroupMember, { ...cid, skip_subresources: true }, OWNER)).toMatchObject({
    status: 204,
    events: [{ type: 'GroupMemberRemoved', data: { userId: CID, reason: 'removed' } }],
  });
  expect((await call(getGroupMember, cid, OWNER)).status).toBe(404);
});

test('members are inherited by what lies below, each once with their highest level', async () => {
  const { call } = await start();
  const list = async (
    endpoint: typeof listGroupMembers | typeof listAllProjectMembers,
    id: number,
    more = {},
  ) => levels((await call(endpoint, { id, ...more }, AMY)).body);
  const direct = [
    [OWNER, 50],
    [AMY, 20],
    [BOB, 40],
    [MINIMAL, 5],
  ];
  expect((await list(listGroupMembers, 50)).sort()).toEqual(direct);
  expect(await list(listGroupMembers, 51)).toEqual([[AMY, 30]]);
  const inherited = [
    [OWNER, 50],
    [AMY, 30],
    [BOB, 40],
  ];
  expect(await list(listAllGroupMembers, 51)).toEqual(inherited);
  expect(await list(listAllProjectMembers, 7)).toEqual([...inherited, [CID, 10]]);
  expect(await list(listAllProjectMembers, 7, { per_page: 3, page: 2 })).toEqual([[CID, 10]]);
  expect(await list(listAllProjectMembers, 7, { query: 'user3' })).toEqual([[BOB, 40]]);
  const bob = { id: 'group50/group51', user_id: BOB };
  expect((await call(getGroupMember, bob, AMY)).status).toBe(404);
  expect(await call(getAnyGroupMember, { ...bob, id: 51 }, AMY)).toMatchObject({
    body: { access_level: 40 },
  });
  expect((await call(getAnyGroupMember, { ...bob, user_id: OUTSIDER }, AMY)).status).toBe(404);
});

test('only owners manage members, and everybody may leave', async () => {
  const { call } = await start();
  const calls = [
    [addGroupMember, { id: 50, user_id: OUTSIDER, access_level: 10 }],
    [changeGroupMember, { id: 50, user_id: AMY, access_level: 50 }],
    [removeGroupMember, { id: 50, user_id: AMY }],
  ] as const;
  for (const [endpoint, params] of calls)
    for (const [caller, status] of [
      [BOB, 403],
      [OUTSIDER, 404],
      [null, 401],
    ] as const)
      expect(await call(endpoint, params, caller)).toMatchObject({ status, events: [] });
  expect(await call(removeGroupMember, { id: 50, user_id: MINIMAL }, MINIMAL)).toMatchObject({
    status: 204,
    events: [{ type: 'GroupMemberRemoved', data: { userId: MINIMAL, reason: 'left' } }],
  });
});

test('what is wrong is said and changes nothing', async () => {
  const { call } = await start();
  const cid = { id: 50, user_id: CID };
  for (const [endpoint, params, status, body] of [
    [addGroupMember, { ...cid, user_id: AMY, access_level: 30 }, 409, { message: 'Member already exists' }],
    [
      addGroupMember,
      { ...cid, access_level: 0 },
      400,
      { message: { access_level: ['is not included in the list'] } },
    ],
    [addGroupMember, { ...cid, user_id: 99, access_level: 30 }, 404, { message: '404 User Not Found' }],
    // A personal namespace is no group.
    [addGroupMember, { ...cid, id: 'user1', access_level: 30 }, 404, { message: '404 Group Not Found' }],
    [changeGroupMember, { ...cid, access_level: 30 }, 404, {}],
    [removeGroupMember, cid, 404, {}],
  ] as const)
    expect(await call(endpoint, params, OWNER)).toMatchObject({ status, body, events: [] });
});

test('the last owner can neither be removed, nor lowered, nor leave', async () => {
  const now = new Date('2030-05-01T12:00:00Z');
  const { call } = await startSlices([memberSlice], given, { clock: () => now });
  const owner = { id: 50, user_id: OWNER };
  for (const [endpoint, params] of [
    [removeGroupMember, owner],
    [changeGroupMember, { ...owner, access_level: 40 }],
    [changeGroupMember, { ...owner, access_level: 50, expires_at: '2030-05-01' }],
  ] as const)
    expect(await call(endpoint, params, OWNER)).toMatchObject({
      ...{ status: 403, body: { message: '403 Forbidden' }, events: [] },
    });
});

test('an owner leaves a group that another owns, also from above', async () => {
  const below = inGroup(groupMemberAdded(51, BOB, 50));
  const { call } = await start([second, below]);
  expect((await call(removeGroupMember, { id: 51, user_id: BOB }, BOB)).status).toBe(204);
  expect((await call(removeGroupMember, { id: 50, user_id: OWNER }, OWNER)).status).toBe(204);
  expect((await call(removeGroupMember, { id: 50, user_id: CID }, CID)).status).toBe(403);
});

test('a removal reaches what lies below unless told otherwise, and nothing elsewhere', async () => {
  const { call } = await start();
  const removed = await call(removeGroupMember, { id: 50, user_id: AMY }, OWNER);
  expect(removed.events.map(({ data }) => data)).toMatchObject([{ groupId: 51 }, { groupId: 50 }]);
  expect((await call(getGroupMember, { id: 60, user_id: AMY }, AMY)).status).toBe(200);
  await call(removeGroupMember, { id: 50, user_id: BOB, skip_subresources: true }, OWNER);
  expect((await call(getProjectMember, { id: 7, user_id: BOB }, BOB)).status).toBe(200);
});

test('minimal access does not reach what lies below', async () => {
  const { call } = await start();
  expect((await call(listGroupMembers, { id: 50 }, MINIMAL)).status).toBe(200);
  expect((await call(listGroupMembers, { id: 51 }, MINIMAL)).status).toBe(404);
  expect((await call(listAllProjectMembers, { id: 7 }, MINIMAL)).status).toBe(404);
});
