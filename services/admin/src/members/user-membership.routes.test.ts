import { listUserMemberships } from '@forgelog/contracts/admin/members/user-membership.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { groupSlice } from '../groups/group.slice.ts';
import { groupCreated, groupMemberAdded, inGroup } from '../testing/group-events.ts';
import { userSlice } from '../users/user.slice.ts';
import { memberSlice } from './member.slice.ts';

const ADMIN = 1;
const ADA = 2;
const BOB = 3;
const given = [
  userCreated(ADMIN, { admin: true }),
  ...[userCreated(ADA), userCreated(BOB), projectCreated(7), memberAdded(7, ADA, 30)],
  ...[groupCreated(20), groupMemberAdded(20, ADA, 40)].map(inGroup),
  ...[groupCreated(21), groupMemberAdded(21, ADA, 10, '2001-01-01')].map(inGroup),
];
const slices = [userSlice, groupSlice, memberSlice];
const inProject = { source_id: 7, source_name: 'project7', source_type: 'Project', access_level: 30 };
const ofGroup = { source_id: 20, source_name: 'group20', source_type: 'Namespace', access_level: 40 };

test('administrators list what a user is a member of now, projects and groups', async () => {
  const { call } = await startSlices(slices, given);
  const listed = async (user_id: number, more: object = {}) =>
    (await call(listUserMemberships, { user_id, ...more }, ADMIN)).body;
  expect(await listed(ADA)).toEqual([inProject, ofGroup]);
  expect(await listed(ADA, { type: 'Project' })).toEqual([inProject]);
  expect(await listed(ADA, { type: 'Namespace' })).toEqual([ofGroup]);
  expect(await listed(BOB)).toEqual([]);
});

test('nobody else lists them, and what is wrong is said', async () => {
  const { call } = await startSlices(slices, given);
  const answers = [];
  for (const caller of [ADA, null]) answers.push(await call(listUserMemberships, { user_id: ADA }, caller));
  answers.push(await call(listUserMemberships, { user_id: 99 }, ADMIN));
  answers.push(await call(listUserMemberships, { user_id: ADA, type: 'Group' }, ADMIN));
  expect(answers.map(({ status, body }) => [status, body.message ?? body.error])).toEqual([
    [403, '403 Forbidden'],
    [401, '401 Unauthorized'],
    [404, '404 User Not Found'],
    [400, 'type does not have a valid value'],
  ]);
});
