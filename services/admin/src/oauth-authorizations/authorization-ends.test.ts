import {
  grantByPassword,
  refreshTokens,
  revokeAuthorization,
} from '@forgelog/contracts/admin/oauth-authorizations/oauth-authorization.operations.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { react } from '@forgelog/testing/given-policy.ts';
import { on, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { oauthApplicationSlice } from '../oauth-applications/oauth-application.slice.ts';
import { sha256 } from '../shared/sha256.ts';
import { userDeleted } from '../testing/account-events.ts';
import { authorizationPolicies } from './authorization-ends.policy.ts';
import { oauthAuthorizationDecider, oauthAuthorizationStream } from './oauth-authorization.decider.ts';
import { oauthAuthorizationSlice } from './oauth-authorization.slice.ts';

const ADA = 2;
const BOB = 3;
const slices = [oauthApplicationSlice, oauthAuthorizationSlice];
const application = on('oauthApplication-7', {
  type: 'OauthApplicationCreated',
  data: {
    ...{ oauthApplicationId: 7, name: 'Dashboard', clientId: 'id', redirectUris: ['https://a.example/'] },
    ...{ scopes: ['api'], confidential: true, secretSha256: 'hash' },
  },
});
const authorization = (at: number, userId: number, oauthApplicationId: number | null = null) => {
  const authorizationId = `01932c5e-7f0a-7cc0-9d0e-3c1f7d2f9a1${at}`;
  const about = { authorizationId, userId, oauthApplicationId, scopes: ['api'] };
  const stream = oauthAuthorizationStream(authorizationId);
  const tokens = {
    tokenId: at,
    accessTokenSha256: sha256(`access${at}`),
    refreshTokenSha256: sha256(`refresh${at}`),
  };
  const data = { ...about, ...tokens, expiresAt: '2030-01-01T00:00:00.000Z' };
  return {
    authorizationId,
    granted: on(stream, { type: 'OauthAuthorizationGranted', data: { ...about, code: null } }),
    issued: on(stream, { type: 'OauthTokensIssued', data }),
  };
};
const blocked = on(`user-${ADA}`, {
  type: 'UserBlocked',
  data: { userId: ADA, changes: { state: 'blocked' }, previous: { state: 'active' } },
});

async function started(...given: Parameters<typeof startSlices>[1] & {}) {
  const { ports } = await startSlices(slices, given);
  const statusOf = async ({ authorizationId }: { authorizationId: string }) =>
    (await ports.commands.load(oauthAuthorizationDecider, oauthAuthorizationStream(authorizationId))).state
      .status;
  return { ports, statusOf, policies: authorizationPolicies(ports) };
}

test('who is deleted or shut out, and an application that is deleted, lose their authorizations', async () => {
  const [ofAda, ofBob, ofProgram] = [authorization(1, ADA), authorization(2, BOB), authorization(3, BOB, 7)];
  const events = [ofAda, ofBob, ofProgram].flatMap(({ granted, issued }) => [granted, issued]);
  const gone = on('oauthApplication-7', {
    type: 'OauthApplicationDeleted',
    data: { oauthApplicationId: 7, name: 'Dashboard' },
  });
  const { policies, statusOf } = await started(
    userCreated(ADA),
    userCreated(BOB),
    application,
    ...events,
    blocked,
    gone,
  );
  await react(policies, blocked);
  expect([await statusOf(ofAda), await statusOf(ofBob), await statusOf(ofProgram)]).toEqual([
    'ended',
    'open',
    'open',
  ]);
  await react(policies, gone);
  expect([await statusOf(ofBob), await statusOf(ofProgram)]).toEqual(['open', 'ended']);
});

test('an authorization that was given meanwhile ends too', async () => {
  const [late, orphan, other] = [authorization(1, ADA), authorization(2, BOB, 7), authorization(3, BOB)];
  const given = [late, orphan, other].map(({ granted }) => granted);
  const { policies, statusOf } = await started(
    userCreated(ADA),
    userCreated(BOB),
    userDeleted(ADA),
    ...given,
  );
  for (const event of given) await react(policies, event);
  expect([await statusOf(late), await statusOf(orphan), await statusOf(other)]).toEqual([
    'ended',
    'ended',
    'open',
  ]);
});

test('an operation that is asked for again has its first answer, and issues nothing more', async () => {
  const { ports, statusOf } = await started(userCreated(ADA));
  const operationId = newEventId();
  const made = { accessTokenSha256: sha256('a'), refreshTokenSha256: sha256('r') };
  const principal = {
    ...{ userId: ADA, username: 'ada', name: 'Ada', email: '', isAdmin: false, external: false },
    ...{ scopes: ['api' as const], credential: { kind: 'password' as const, id: null }, onBehalfBy: null },
  };
  const metadata = { ...SYSTEM_METADATA, actorId: ADA };
  const grant = () =>
    ports.operations.call(
      grantByPassword,
      { oauthApplicationId: null, scopes: ['api'], ...made },
      { principal, operationId, metadata },
    );
  const first = await grant();
  expect(await grant()).toEqual(first);

  const request = { authorizationId: operationId, oauthApplicationId: null, scopes: null };
  const next = { accessTokenSha256: sha256('a2'), refreshTokenSha256: sha256('r2') };
  const ask = (presentedSha256: string, id = newEventId()) =>
    ports.operations.call(
      refreshTokens,
      { ...request, presentedSha256, ...next },
      { principal: null, operationId: id, metadata: SYSTEM_METADATA },
    );
  const repeated = newEventId();
  const refreshed = await ask(sha256('r'), repeated);
  expect(refreshed).toMatchObject({ outcome: 'issued' });
  expect(await ask(sha256('r'), repeated)).toEqual(refreshed);
  expect(await ask(sha256('a guess'))).toEqual({ outcome: 'refused' });
  const revoke = (oauthApplicationId: number | null, token: string) =>
    ports.operations.call(
      revokeAuthorization,
      { authorizationId: operationId, oauthApplicationId, presentedSha256: sha256(token) },
      { principal: null, operationId: newEventId(), metadata: SYSTEM_METADATA },
    );
  expect(await revoke(7, 'a2')).toEqual({ outcome: 'of_another' });
  expect(await revoke(null, 'a guess')).toEqual({ outcome: 'done' });
  expect(await statusOf({ authorizationId: operationId })).toBe('open');
  expect(await ask(sha256('r'))).toEqual({ outcome: 'refused' });
  expect(await statusOf({ authorizationId: operationId })).toBe('ended');
});

test('of two refreshes at once one is answered, and the other ends the authorization', async () => {
  const one = authorization(1, ADA);
  const { ports, statusOf } = await started(userCreated(ADA), one.granted, one.issued);
  const answers = await Promise.all(
    ['x', 'y'].map((made) =>
      ports.operations.call(
        refreshTokens,
        {
          ...{ authorizationId: one.authorizationId, oauthApplicationId: null, scopes: null },
          presentedSha256: sha256('refresh1'),
          ...{ accessTokenSha256: sha256(`${made}a`), refreshTokenSha256: sha256(`${made}r`) },
        },
        { principal: null, operationId: newEventId(), metadata: SYSTEM_METADATA },
      ),
    ),
  );
  expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['issued', 'refused']);
  expect(await statusOf(one)).toBe('ended');
});
