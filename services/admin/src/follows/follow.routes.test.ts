import {
  followUser,
  listFollowers,
  listFollowing,
  unfollowUser,
} from '@forgelog/contracts/admin/follows/follow.api.ts';
import { deleteUser } from '@forgelog/contracts/admin/users/user.api.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { settingsSlice } from '../settings/settings.slice.ts';
import { userSlice } from '../users/user.slice.ts';
import { followSlice } from './follow.slice.ts';

const [ROOT, ADA, BO, CY] = [1, 2, 3, 4] as const;
const slices = [followSlice, userSlice, settingsSlice];
const given = [userCreated(ROOT, { admin: true }), ...[ADA, BO, CY].map((id) => userCreated(id))];

test('users follow each other, and lists tell who', async () => {
  const { call } = await startSlices(slices, given);
  const ids = async (list: typeof listFollowers | typeof listFollowing, id: number) =>
    (await call(list, { id }, null)).body.map((one: { id: number }) => one.id);
  expect(await call(followUser, { id: BO }, ADA)).toMatchObject({ status: 201, body: { id: BO } });
  expect((await call(followUser, { id: BO }, ADA)).status).toBe(304);
  expect((await call(followUser, { id: ADA }, ADA)).status).toBe(304);
  expect((await call(followUser, { id: CY }, ADA)).status).toBe(201);
  expect((await call(followUser, { id: BO }, CY)).status).toBe(201);
  expect(await ids(listFollowing, ADA)).toEqual([CY, BO]);
  expect(await ids(listFollowers, BO)).toEqual([CY, ADA]);
  expect((await call(unfollowUser, { id: BO }, CY)).status).toBe(201);
  expect((await call(unfollowUser, { id: BO }, CY)).status).toBe(304);
  expect(await ids(listFollowers, BO)).toEqual([ADA]);
});

test('who is deleted follows nobody, and is not found', async () => {
  const { call } = await startSlices(slices, given);
  await call(followUser, { id: BO }, ADA);
  await call(followUser, { id: ADA }, BO);
  expect((await call(deleteUser, { id: ADA }, ROOT)).status).toBe(204);
  expect((await call(listFollowers, { id: BO }, null)).body).toEqual([]);
  expect((await call(listFollowing, { id: BO }, null)).body).toEqual([]);
  expect((await call(listFollowers, { id: ADA }, null)).status).toBe(404);
  expect((await call(followUser, { id: ADA }, BO)).status).toBe(404);
  expect((await call(followUser, { id: BO }, null)).status).toBe(401);
});
