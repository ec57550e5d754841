import {
  getNamespace,
  listNamespaces,
  namespaceExists,
} from '@forgelog/contracts/admin/namespaces/namespace.api.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { groupSlice } from '../groups/group.slice.ts';
import { memberSlice } from '../members/member.slice.ts';
import { groupCreated, groupMemberAdded, inGroup } from '../testing/group-events.ts';
import { userSlice } from '../users/user.slice.ts';
import { namespaceSlice } from './namespace.slice.ts';

const OWNER = 1;
const MEMBER = 2;
const ADMIN = 3;
const below = { parentId: 20, path: 'lab', fullPath: 'group20/lab' };
const given = [
  ...[userCreated(OWNER), userCreated(MEMBER), userCreated(ADMIN, { admin: true })],
  ...[groupCreated(20), groupCreated(21), groupCreated(22, below)].map(inGroup),
  ...[groupMemberAdded(20, MEMBER, 30), groupMemberAdded(22, OWNER, 50)].map(inGroup),
];
const started = () => startSlices([userSlice, groupSlice, memberSlice, namespaceSlice], given);
const pathsOf = (body: { full_path: string }[]) => body.map(({ full_path }) => full_path).sort();

test('a caller lists the own namespace and the groups that they are a member of, above or there', async () => {
  const { call } = await started();
  const listed = async (params: Record<string, unknown>, user: number) =>
    pathsOf((await call(listNamespaces, params, user)).body);
  expect(await listed({}, MEMBER)).toEqual(['group20', 'group20/lab', 'user2']);
  expect(await listed({ owned_only: true }, MEMBER)).toEqual(['user2']);
  expect(await listed({ top_level_only: true, search: 'GROUP' }, OWNER)).toEqual(['group20', 'group21']);
  expect(await listed({}, ADMIN)).toHaveLength(6);
  expect(await listed({ owned_only: true }, ADMIN)).toEqual(['user3']);
  expect((await call(listNamespaces, {})).status).toBe(401);
});

test('owners and administrators alone see how many people a group has, each counted once', async () => {
  const { call } = await started();
  const shown = async (id: string, user: number) => (await call(getNamespace, { id }, user)).body;
  expect(await shown('20', OWNER)).toMatchObject({ kind: 'group', members_count_with_descendants: 2 });
  expect(await shown('group20/lab', ADMIN)).toMatchObject({
    parent_id: 20,
    members_count_with_descendants: 1,
  });
  expect(await shown('20', MEMBER)).not.toHaveProperty('members_count_with_descendants');
  expect(await shown('user2', MEMBER)).toMatchObject({ kind: 'user', members_count_with_descendants: 1 });
});

test('a namespace that the list would not show is not found', async () => {
  const { call } = await started();
  for (const id of ['21', 'user1', 'nothing'])
    expect(await call(getNamespace, { id }, MEMBER)).toMatchObject({
      ...{ status: 404, body: { message: '404 Namespace Not Found' } },
    });
});

test('a taken path is told with a free one, at the top and below a group that the caller knows', async () => {
  const { call } = await started();
  const exists = async (params: { namespace: string; parent_id?: number }, user = MEMBER) =>
    (await call(namespaceExists, params, user)).body;
  expect(await exists({ namespace: 'Group20' })).toEqual({ exists: true, suggests: ['Group201'] });
  expect(await exists({ namespace: 'user1' })).toEqual({ exists: true, suggests: ['user11'] });
  expect(await exists({ namespace: 'lab' })).toEqual({ exists: false, suggests: [] });
  expect(await exists({ namespace: 'lab', parent_id: 20 })).toMatchObject({ exists: true });
  expect(await exists({ namespace: 'lab', parent_id: 21 })).toEqual({ exists: false, suggests: [] });
});
