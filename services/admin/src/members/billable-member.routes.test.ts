import {
  listBillableMembers,
  listBillableMemberships,
  removeBillableMember,
} from '@forgelog/contracts/admin/billable-members/billable-member.api.ts';
import { getGroupMember } from '@forgelog/contracts/admin/members/group-member.api.ts';
import { USER_BLOCKED } from '@forgelog/contracts/admin/users/user.events.ts';
import { memberAdded, on, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { groupCreated, groupMemberAdded, inGroup, projectInGroup } from '../testing/group-events.ts';
import { memberSlice } from './member.slice.ts';

const OWNER = 1;
const ZOE = 2;
const ADAM = 3;
const BLOCKED = 4;
const MINIMAL = 5;
const BOT = userCreated(6);
Object.assign(BOT.event.data as object, { bot: true });
const named = (userId: number, name: string, public_email?: string) =>
  on(`user-${userId}`, {
    type: 'UserUpdated',
    data: {
      userId,
      changes: { name, profile: public_email ? { public_email } : {} },
      ...{ previous: null, withheldChanges: [] },
    },
  });
// Group 50 holds group 51, which holds project 7. Group 60 is elsewhere.
const given = [
  ...[OWNER, ZOE, ADAM, BLOCKED, MINIMAL].map((id) => userCreated(id)),
  ...[named(OWNER, 'Olga'), named(ZOE, 'Zoe', 'zoe@example.org'), named(ADAM, 'Adam')],
  on(`user-${BLOCKED}`, { type: 'UserBlocked', data: { userId: BLOCKED, ...USER_BLOCKED } }),
  BOT,
  inGroup(groupCreated(50)),
  inGroup(groupCreated(51, { parentId: 50, creatorId: null })),
  inGroup(groupCreated(60)),
  projectInGroup(7, 51),
  ...[groupMemberAdded(50, MINIMAL, 5), groupMemberAdded(50, BLOCKED, 30), groupMemberAdded(50, 6, 30)].map(
    inGroup,
  ),
  ...[groupMemberAdded(51, ZOE, 20), groupMemberAdded(60, ZOE, 30)].map(inGroup),
  memberAdded(7, ADAM, 10),
  memberAdded(7, ZOE, 40),
];

async function start() {
  // Each event has a time of its own, so that orders by time are told apart.
  let now = Date.parse('2030-01-01T00:00:00Z');
  return startSlices([memberSlice], given, { clock: () => new Date(now++) });
}

test('each user in the hierarchy takes one seat, except bots, blocked users and those with minimal access', async () => {
  const { call } = await start();
  const { body, headers } = await call(listBillableMembers, { id: 50 }, OWNER);
  expect(headers).toMatchObject({ 'x-total': '3' });
  expect(body).toMatchObject([
    { id: ADAM, membership_type: 'project_member', removable: true, email: null },
    { id: OWNER, membership_type: 'group_member', removable: false, last_activity_on: null },
    { id: ZOE, membership_type: 'group_member', removable: true, email: 'zoe@example.org' },
  ]);
});

test('billable members are searched, sorted and paged', async () => {
  const { call } = await start();
  const names = async (params: object) =>
    (await call(listBillableMembers, { id: 50, ...params }, OWNER)).body.map(
      ({ name }: { name: string }) => name,
    );
  expect(await names({ search: 'ZO' })).toEqual(['Zoe']);
  expect(await names({ search: 'zoe@ex' })).toEqual(['Zoe']);
  expect(await names({ search: 'user3@example.org' })).toEqual(['Adam']);
  expect(await names({ search: 'user3@ex' })).toEqual([]);
  for (const [sort, expected] of [
    ['name_asc', ['Adam', 'Olga', 'Zoe']],
    ['name_desc', ['Zoe', 'Olga', 'Adam']],
    ['access_level_asc', ['Adam', 'Zoe', 'Olga']],
    ['access_level_desc', ['Olga', 'Zoe', 'Adam']],
    ['last_joined', ['Zoe', 'Adam', 'Olga']],
    ['oldest_joined', ['Olga', 'Zoe', 'Adam']],
    ['recent_sign_in', ['Olga', 'Zoe', 'Adam']],
  ] as const)
    expect(await names({ sort }), sort).toEqual(expected);
  expect(await names({ per_page: 1, page: 2 })).toEqual(['Olga']);
  expect((await call(listBillableMembers, { id: 50, sort: 'id' }, OWNER)).status).toBe(400);
});

test('memberships are shown with their places', async () => {
  const { call, ports } = await start();
  expect((await call(listBillableMemberships, { id: 50, user_id: ZOE }, OWNER)).body).toMatchObject([
    {
      ...{ source_id: 51, source_full_name: 'group50 / group51', expires_at: null },
      source_members_url: `${ports.host}/groups/group50/group51/-/group_members`,
      access_level: { string_value: 'Reporter', integer_value: 20 },
    },
    {
      ...{ source_id: 7, source_full_name: 'group50 / group51 / project7' },
      source_members_url: `${ports.host}/group50/group51/project7/-/project_members`,
      access_level: { string_value: 'Maintainer', integer_value: 40 },
    },
  ]);
});

test('only owners of top-level groups see and remove billable members', async () => {
  const { call } = await start();
  for (const endpoint of [listBillableMembers, listBillableMemberships, removeBillableMember]) {
    for (const [id, caller, status] of [
      [50, ZOE, 403],
      [50, null, 401],
      [51, OWNER, 400],
    ] as const)
      expect(await call(endpoint, { id, user_id: ADAM }, caller)).toMatchObject({ status, events: [] });
  }
  for (const endpoint of [listBillableMemberships, removeBillableMember])
    expect(await call(endpoint, { id: 50, user_id: 99 }, OWNER)).toMatchObject({
      ...{ status: 404, body: { message: '404 User Not Found' }, events: [] },
    });
});

test('a removal ends every membership in the hierarchy, and no other', async () => {
  const { call } = await start();
  const removed = await call(removeBillableMember, { id: 50, user_id: ZOE }, OWNER);
  expect(removed).toMatchObject({
    status: 204,
    events: [
      { type: 'ProjectMemberRemoved', data: { projectId: 7, userId: ZOE, reason: 'removed' } },
      { type: 'GroupMemberRemoved', data: { groupId: 51, userId: ZOE } },
    ],
  });
  expect((await call(getGroupMember, { id: 60, user_id: ZOE }, ZOE)).status).toBe(200);
  expect((await call(removeBillableMember, { id: 50, user_id: ZOE }, OWNER)).status).toBe(404);
  expect(await call(removeBillableMember, { id: 50, user_id: OWNER }, OWNER)).toMatchObject({
    ...{ status: 403, events: [] },
  });
});
