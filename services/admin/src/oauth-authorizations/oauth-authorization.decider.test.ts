import { hash } from 'node:crypto';
import type { OauthAuthorizationEvent } from '@forgelog/contracts/admin/oauth-authorizations/oauth-authorization.events.ts';
import type { Scope } from '@forgelog/contracts/endpoint.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { expect, test } from 'vitest';
import { type OauthAuthorizationCommand, oauthAuthorizationDecider } from './oauth-authorization.decider.ts';

const authorizationId = '01932c5e-7f0a-7cc0-9d0e-3c1f7d2f9a10';
const NOON = '2026-11-20T12:00:00.000Z';
const about = { userId: 2, oauthApplicationId: 7 };
const scopes: Scope[] = ['api', 'read_user'];
const VERIFIER = 'a verifier of a program';
const challenge = { value: hash('sha256', VERIFIER, 'base64url'), method: 'S256' as const };
const pair = (at: number, now = NOON) => ({
  ...{ tokenId: at, accessTokenSha256: `access${at}`, refreshTokenSha256: `refresh${at}`, now },
});
const issued = (at: number, over: object = {}): OauthAuthorizationEvent => {
  const { now: _, ...tokens } = pair(at);
  const data = { authorizationId, ...about, scopes, ...tokens, expiresAt: '2026-11-20T14:00:00.000Z' };
  return { type: 'OauthTokensIssued', data: { ...data, ...over } };
};
const code = {
  ...{ codeSha256: 'code', redirectUri: 'https://a.example/', expiresAt: '2026-11-20T12:10:00.000Z' },
  ...{ challenge: challenge.value, challengeMethod: 'S256' as const },
};
const granted = (more: object = {}): OauthAuthorizationEvent => ({
  type: 'OauthAuthorizationGranted',
  data: { authorizationId, ...about, scopes, code: null, ...more },
});
const revoked = (reason: 'revoked' | 'reused'): OauthAuthorizationEvent => ({
  type: 'OauthAuthorizationRevoked',
  data: { authorizationId, ...about, reason },
});
const refresh = (presentedSha256: string, more: object = {}): OauthAuthorizationCommand => ({
  ...{ type: 'RefreshTokens', authorizationId, oauthApplicationId: 7, presentedSha256, scopes: null },
  ...{ tokens: pair(2), ...more },
});
const redeem = (more: object = {}): OauthAuthorizationCommand => ({
  ...{ type: 'RedeemCode', authorizationId, oauthApplicationId: 7, codeSha256: 'code' },
  ...{ redirectUri: code.redirectUri, verifier: VERIFIER, tokens: pair(1), ...more },
});
const decider = oauthAuthorizationDecider;

test('a password is exchanged for tokens at once, which last two hours', () => {
  given(decider)
    .when({ type: 'GrantByPassword', authorizationId, ...about, scopes, tokens: pair(1) })
    .thenEvents(granted(), issued(1));
});

test('a refresh token is exchanged once, by its application; a second time ends all', () => {
  const first = [granted(), issued(1)] as const;
  given(decider, ...first)
    .when(refresh('refresh1'))
    .thenEvents(issued(2));
  given(decider, ...first)
    .when(refresh('refresh1', { scopes: ['api'] }))
    .thenEvents(issued(2, { scopes: ['api'] }));
  given(decider, ...first)
    .when(refresh('refresh1', { scopes: ['sudo'] }))
    .thenRejected('validation_failed');
  for (const wrong of [
    refresh('a guess'),
    refresh('access1'),
    refresh('refresh1', { oauthApplicationId: null }),
  ])
    given(decider, ...first)
      .when(wrong)
      .thenEvents();
  given(decider, ...first, issued(2))
    .when(refresh('refresh1'))
    .thenEvents(revoked('reused'));
  given(decider, ...first, issued(2), revoked('reused'))
    .when(refresh('refresh2'))
    .thenEvents();
  // Narrower tokens do not narrow the authorization.
  given(decider, ...first, issued(2, { scopes: ['api'] }))
    .when(refresh('refresh2', { tokens: pair(3) }))
    .thenEvents(issued(3));
});

test('a code is exchanged once, within ten minutes, where it was sent, by who answers its challenge', () => {
  given(decider)
    .when({
      ...{ type: 'GrantByCode', authorizationId, ...about, scopes, codeSha256: 'code', challenge, now: NOON },
      redirectUri: code.redirectUri,
    })
    .thenEvents(granted({ code }));
  const first = granted({ code });
  given(decider, first).when(redeem()).thenEvents(issued(1));
  for (const wrong of [
    ...[{ codeSha256: 'a guess' }, { oauthApplicationId: 8 }, { redirectUri: 'https://a.example' }],
    ...[{ verifier: null }, { verifier: challenge.value }, { tokens: pair(1, code.expiresAt) }],
  ])
    given(decider, first).when(redeem(wrong)).thenEvents();
  given(decider, first, issued(1)).when(redeem()).thenEvents(revoked('reused'));
  given(decider, first, issued(1))
    .when(redeem({ codeSha256: 'a guess' }))
    .thenEvents();
  const without = granted({ code: { ...code, challenge: null, challengeMethod: null } });
  given(decider, without).when(redeem()).thenEvents();
  given(decider, without)
    .when(redeem({ verifier: null }))
    .thenEvents(issued(1));
  const plain = granted({ code: { ...code, challenge: VERIFIER, challengeMethod: 'plain' } });
  given(decider, plain).when(redeem()).thenEvents(issued(1));
  given(decider, first).when(refresh('refresh1')).thenEvents();
});

test('each of its tokens revokes an authorization, and nothing else does', () => {
  const revoke = (presentedSha256: string) =>
    ({ type: 'RevokeAuthorization', authorizationId, presentedSha256 }) as const;
  for (const token of ['access2', 'refresh2', 'refresh1'])
    given(decider, granted(), issued(1), issued(2)).when(revoke(token)).thenEvents(revoked('revoked'));
  given(decider, granted(), issued(1)).when(revoke('a guess')).thenEvents();
  given(decider, granted(), issued(1), revoked('revoked')).when(revoke('access1')).thenEvents();
});

test('an unused code is over after ten minutes, tokens that nobody refreshes after half a year', () => {
  const end = (now: string) =>
    ({ type: 'EndAuthorization', authorizationId, reason: 'expired', now }) as const;
  const ended: OauthAuthorizationEvent = {
    type: 'OauthAuthorizationEnded',
    data: { authorizationId, ...about, reason: 'expired' },
  };
  given(decider, granted({ code })).when(end('2026-11-20T12:09:59.999Z')).thenEvents();
  given(decider, granted({ code })).when(end('2026-11-20T12:10:00.000Z')).thenEvents(ended);
  given(decider, granted(), issued(1)).when(end('2027-05-19T13:59:59.999Z')).thenEvents();
  given(decider, granted(), issued(1)).when(end('2027-05-19T14:00:00.000Z')).thenEvents(ended);
});

test('a state keeps as many exchanged refresh tokens as it needs', () => {
  let state = decider.evolve(decider.initialState, granted());
  for (let at = 1; at <= 1002; at++) state = decider.evolve(state, issued(at));
  expect(state).toMatchObject({ rotated: { length: 1000 } });
});
