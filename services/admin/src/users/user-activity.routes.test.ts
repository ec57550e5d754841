import { listUserActivities } from '@forgelog/contracts/admin/users/user-activity.api.ts';
import { on, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { accessTokenSlice } from '../access-tokens/access-token.slice.ts';
import { userSlice } from './user.slice.ts';

const ADMIN = 1;
const clock = () => new Date('2026-08-31T12:00:00Z');

const token = (tokenId: number, userId: number) =>
  on(`accessToken-${tokenId}`, {
    type: 'PersonalAccessTokenCreated',
    data: {
      ...{ tokenId, userId, name: 'Token', scopes: ['api'], expiresAt: null, tokenSha256: `${tokenId}` },
      ...{ impersonation: false, projectId: null, groupId: null },
    },
  });
const used = (day: string, ...tokenIds: number[]) =>
  on(`accessTokenUses-${day}`, {
    type: 'PersonalAccessTokensUsed',
    data: { day, uses: tokenIds.map((tokenId) => ({ tokenId, usedAt: `${day}T10:00:00.000Z` })) },
  });

const given = [
  ...[userCreated(ADMIN, { admin: true }), userCreated(2), userCreated(3), userCreated(4)],
  ...[token(11, 2), token(12, 2), token(13, 3), token(14, 4)],
  ...[used('2026-01-10', 13), used('2026-08-01', 11), used('2026-08-30', 12), used('2026-08-15', ADMIN)],
];
const start = () => startSlices([userSlice, accessTokenSlice], given, { clock });

test('the last use of any token of a user counts, for six months unless asked otherwise', async () => {
  const { call } = await start();
  const ada = {
    ...{ username: 'user2', last_activity_on: '2026-08-30', last_activity_at: '2026-08-30T10:00:00.000Z' },
  };
  expect((await call(listUserActivities, {}, ADMIN)).body).toEqual([ada]);
  const since = (await call(listUserActivities, { from: '2026-01-10' }, ADMIN)).body;
  expect(since.map(({ username }: { username: string }) => username)).toEqual(['user3', 'user2']);
  expect((await call(listUserActivities, { from: '2026-08-31' }, ADMIN)).body).toEqual([]);
});

test('administrators alone read it, from a day', async () => {
  const { call } = await start();
  expect((await call(listUserActivities, {}, 2)).status).toBe(403);
  expect((await call(listUserActivities, {}, null)).status).toBe(401);
  expect((await call(listUserActivities, { from: 'yesterday' }, ADMIN)).status).toBe(400);
});
