import {
  createAccessToken,
  getAccessToken,
  getOwnAccessToken,
  listAccessTokens,
  revokeAccessToken,
} from '@forgelog/contracts/admin/access-tokens/access-token.api.ts';
import { on, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { sha256 } from '../shared/sha256.ts';
import { userSlice } from '../users/user.slice.ts';
import { accessTokenSlice } from './access-token.slice.ts';

const ADMIN = 1;
const ADA = 2;
const BOB = 3;
const slices = [userSlice, accessTokenSlice];
/** A token has the id 100 above its owner's. */
const tokenOf = (userId: number, more: { tokenId?: number; impersonation?: boolean } = {}) => {
  const data = {
    ...{ tokenId: 100 + userId, userId, name: 'laptop', scopes: ['api'], expiresAt: '2026-03-02' },
    ...{ tokenSha256: `hash${userId}`, impersonation: false, ...more, projectId: null, groupId: null },
  };
  return on(`accessToken-${data.tokenId}`, { type: 'PersonalAccessTokenCreated', data });
};
const given = [
  userCreated(ADMIN, { admin: true }),
  userCreated(ADA),
  userCreated(BOB),
  tokenOf(ADA),
  tokenOf(BOB),
];
const wanted = { user_id: ADA, name: 'ci', scopes: ['api', 'read_user', 'api'], expires_at: '2030-01-31' };
const missing = { status: 404, body: { message: '404 Personal Access Token Not Found' }, events: [] };

test('an administrator creates a token, whose value is in this answer and nowhere else', async () => {
  const { call } = await startSlices(slices, given);
  const created = await call(createAccessToken, wanted, ADMIN);
  const { token, ...shown } = created.body;
  expect(token).toMatch(/^flpat-[\w-]{32}$/);
  expect(created).toMatchObject({
    status: 201,
    body: {
      ...{ name: 'ci', user_id: ADA, scopes: ['api', 'read_user'], expires_at: '2030-01-31' },
      ...{ revoked: false, last_used_at: null },
    },
    events: [
      {
        type: 'PersonalAccessTokenCreated',
        data: { userId: ADA, tokenSha256: sha256(token), impersonation: false },
      },
    ],
  });
  expect(JSON.stringify(created.events)).not.toContain(token);
  expect(await call(getAccessToken, { id: shown.id }, ADA)).toMatchObject({ status: 200, body: shown });
  expect((await call(getAccessToken, { id: shown.id }, ADA)).body).not.toHaveProperty('token');
});

test('only administrators create tokens, and what is wrong with one is said', async () => {
  const { call } = await startSlices(slices, given);
  const answers = [];
  for (const caller of [ADA, null]) answers.push(await call(createAccessToken, wanted, caller));
  answers.push(await call(createAccessToken, { user_id: ADA }, ADMIN));
  for (const wrong of [
    ...[{ user_id: 9 }, { scopes: ['all'] }, { scopes: [] }, { name: ' ' }],
    { expires_at: '2026-02-30' },
  ])
    answers.push(await call(createAccessToken, { ...wanted, ...wrong }, ADMIN));
  expect(answers.map(({ status, body }) => [status, body.message ?? body.error])).toEqual([
    [403, expect.anything()],
    [401, '401 Unauthorized'],
    [400, 'name is missing, scopes is missing'],
    [404, '404 User Not Found'],
    [400, 'scopes does not have a valid value'],
    [400, { scopes: ["can't be blank"] }],
    [400, { name: ["can't be blank"] }],
    [400, 'expires_at is invalid'],
  ]);
  expect(answers.flatMap(({ events }) => events)).toEqual([]);
});

test('users list their own tokens, administrators all or those of one user', async () => {
  const { call } = await startSlices(slices, given);
  const owners = async (params: object, caller: number) =>
    (await call(listAccessTokens, { ...params }, caller)).body.map(
      ({ user_id }: { user_id: number }) => user_id,
    );
  expect(await owners({}, ADA)).toEqual([ADA]);
  expect(await owners({ user_id: ADA }, ADA)).toEqual([ADA]);
  expect(await owners({}, ADMIN)).toEqual([ADA, BOB]);
  expect(await owners({ user_id: BOB }, ADMIN)).toEqual([BOB]);
  expect((await call(listAccessTokens, { user_id: BOB }, ADA)).status).toBe(401);
  expect((await call(listAccessTokens, {})).status).toBe(401);
});

test('a token is revoked by its owner, and by an administrator a second time without effect', async () => {
  const { call } = await startSlices(slices, given);
  const one = { id: 100 + ADA };
  expect(await call(revokeAccessToken, one, BOB)).toMatchObject(missing);
  expect(await call(revokeAccessToken, { id: 9 }, ADMIN)).toMatchObject(missing);
  expect(await call(revokeAccessToken, one, ADA)).toMatchObject({
    status: 204,
    events: [{ type: 'PersonalAccessTokenRevoked', data: { tokenId: 100 + ADA, userId: ADA } }],
  });
  expect(await call(revokeAccessToken, one, ADMIN)).toMatchObject({ status: 204, events: [] });
  expect((await call(getAccessToken, one, ADA)).body).toMatchObject({ revoked: true, active: false });
});

test('a token is for its owner and administrators, and one for impersonation is shown to nobody', async () => {
  const hidden = tokenOf(ADA, { tokenId: 8, impersonation: true });
  const { call } = await startSlices(slices, [...given, hidden]);
  const seen = [];
  for (const caller of [ADA, ADMIN, BOB, null])
    seen.push((await call(getAccessToken, { id: 100 + ADA }, caller)).status);
  expect(seen).toEqual([200, 200, 404, 401]);
  expect((await call(getAccessToken, { id: 'selfish' }, ADA)).status).toBe(400);
  for (const caller of [ADA, ADMIN]) {
    expect(await call(getAccessToken, { id: 8 }, caller)).toMatchObject(missing);
    const { body } = await call(listAccessTokens, { user_id: ADA }, caller);
    expect(body).toMatchObject([{ id: 100 + ADA }]);
  }
});

test('a token is active until the day on which it expires', async () => {
  let now = new Date('2026-03-01T23:59:59Z');
  const { call } = await startSlices(slices, given, { clock: () => now });
  const isActive = async () => (await call(getAccessToken, { id: 100 + ADA }, ADA)).body.active;
  expect(await isActive()).toBe(true);
  now = new Date('2026-03-02T00:00:00Z');
  expect(await isActive()).toBe(false);
});

test('a caller sees the token of their request', async () => {
  // All calls carry the token of id 1.
  const { call } = await startSlices(slices, [...given, tokenOf(BOB, { tokenId: 1 })]);
  expect(await call(getOwnAccessToken, {}, BOB)).toMatchObject({
    status: 200,
    body: { id: 1, user_id: BOB },
  });
  expect((await call(getOwnAccessToken, {})).status).toBe(401);
});
