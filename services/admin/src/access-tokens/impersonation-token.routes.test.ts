import {
  getAccessToken,
  listAccessTokens,
} from '@forgelog/contracts/admin/access-tokens/access-token.api.ts';
import {
  createImpersonationToken,
  getImpersonationToken,
  listImpersonationTokens,
  revokeImpersonationToken,
} from '@forgelog/contracts/admin/access-tokens/impersonation-token.api.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { userSlice } from '../users/user.slice.ts';
import { accessTokenSlice } from './access-token.slice.ts';

const ADMIN = 1;
const ADA = 2;
const BOB = 3;
const given = [userCreated(ADMIN, { admin: true }), userCreated(ADA), userCreated(BOB)];
const started = (environment = {}) => startSlices([userSlice, accessTokenSlice], given, { environment });
const wanted = { user_id: ADA, name: 'support', scopes: ['api'] };

test('an administrator makes a token that its user neither sees nor lists', async () => {
  const { call } = await started();
  const created = await call(createImpersonationToken, wanted, ADMIN);
  const { token, ...shown } = created.body;
  expect(created).toMatchObject({
    status: 201,
    body: { token: expect.stringMatching(/^flpat-/), impersonation: true, active: true, user_id: ADA },
    events: [{ type: 'PersonalAccessTokenCreated', data: { userId: ADA, impersonation: true } }],
  });
  const one = { user_id: ADA, impersonation_token_id: shown.id };
  expect((await call(getImpersonationToken, one, ADMIN)).body).toEqual(shown);
  expect((await call(listAccessTokens, {}, ADA)).body).toEqual([]);
  expect((await call(getAccessToken, { id: shown.id }, ADA)).status).toBe(404);
  expect((await call(createImpersonationToken, wanted, ADA)).status).toBe(403);
});

test('tokens are listed by state, and those that are over are inactive', async () => {
  const { call } = await started();
  const make = async (more: object) =>
    (await call(createImpersonationToken, { ...wanted, ...more }, ADMIN)).body.id;
  const [open, over, gone] = [await make({}), await make({ expires_at: '2001-01-01' }), await make({})];
  const revoke = { user_id: ADA, impersonation_token_id: gone };
  expect((await call(revokeImpersonationToken, revoke, ADMIN)).status).toBe(204);
  const listed = async (state?: 'active' | 'inactive') =>
    (await call(listImpersonationTokens, { user_id: ADA, ...(state && { state }) }, ADMIN)).body.map(
      ({ id }: { id: number }) => id,
    );
  expect(await listed('active')).toEqual([open]);
  expect(await listed('inactive')).toEqual([over, gone]);
  expect(await listed()).toEqual([open, over, gone]);
});

test('what is missing or of another user is not found, and says what', async () => {
  const { call } = await started();
  const { id } = (await call(createImpersonationToken, wanted, ADMIN)).body;
  const missing = { status: 404, body: { message: '404 Impersonation Token Not Found' } };
  for (const endpoint of [getImpersonationToken, revokeImpersonationToken]) {
    const ofBob = { user_id: BOB, impersonation_token_id: id };
    expect(await call(endpoint, ofBob, ADMIN)).toMatchObject(missing);
    expect(await call(endpoint, { ...ofBob, user_id: 9 }, ADMIN)).toMatchObject({
      status: 404,
      body: { message: '404 User Not Found' },
    });
  }
  expect(await call(createImpersonationToken, { user_id: ADA, name: 'support' }, ADMIN)).toMatchObject({
    status: 400,
    body: { message: { scopes: ["can't be blank"] } },
    events: [],
  });
});

test('where impersonation is off, none is made', async () => {
  const { call } = await started({ IMPERSONATION: 'off' });
  expect(await call(createImpersonationToken, wanted, ADMIN)).toMatchObject({ status: 403, events: [] });
});
