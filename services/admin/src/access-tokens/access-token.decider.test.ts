import type { AccessTokenEvent } from '@forgelog/contracts/admin/access-tokens/access-token.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type AccessTokenCommand, accessTokenDecider } from './access-token.decider.ts';

const token = {
  ...{ tokenId: 5, userId: 2, name: 'laptop', expiresAt: null, tokenSha256: 'ab' },
  ...{ impersonation: false, projectId: null, groupId: null },
};
const create = {
  type: 'CreatePersonalAccessToken',
  ...token,
  scopes: ['api'],
} as const satisfies AccessTokenCommand;
const created: AccessTokenEvent = {
  type: 'PersonalAccessTokenCreated',
  data: { ...token, scopes: ['api'] },
};
const revoked: AccessTokenEvent = {
  type: 'PersonalAccessTokenRevoked',
  data: { tokenId: 5, userId: 2, name: 'laptop' },
};
const revoke = (ownerId: number | null): AccessTokenCommand => ({
  type: 'RevokePersonalAccessToken',
  tokenId: 5,
  ownerId,
  impersonation: null,
});
const missing = { message: '404 Personal Access Token Not Found' };

test('a token has each scope once', () => {
  given(accessTokenDecider)
    .when({ ...create, scopes: ['api', 'sudo', 'api'] })
    .thenEvents({ type: 'PersonalAccessTokenCreated', data: { ...token, scopes: ['api', 'sudo'] } });
});

test('a token has a name and a scope, and all problems are reported at once', () => {
  given(accessTokenDecider)
    .when({ ...create, name: ' ', scopes: [] })
    .thenRejected('validation_failed', { message: { name: ["can't be blank"], scopes: ["can't be blank"] } });
});

test('a token is revoked once, by its owner or an administrator', () => {
  for (const ownerId of [2, null]) {
    given(accessTokenDecider, created).when(revoke(ownerId)).thenEvents(revoked);
    given(accessTokenDecider, created, revoked).when(revoke(ownerId)).thenEvents();
  }
});

test('a token of another user looks like one that does not exist', () => {
  given(accessTokenDecider, created).when(revoke(3)).thenRejected('not_found', missing);
  given(accessTokenDecider, created, revoked).when(revoke(3)).thenRejected('not_found', missing);
  given(accessTokenDecider).when(revoke(null)).thenRejected('not_found', missing);
});

test('an impersonation token is none that its user revokes', () => {
  const made: AccessTokenEvent = {
    type: 'PersonalAccessTokenCreated',
    data: { ...token, scopes: ['api'], impersonation: true },
  };
  const revokeOne = (impersonation: boolean) => ({ ...revoke(2), impersonation });
  given(accessTokenDecider, made).when(revokeOne(false)).thenRejected('not_found', missing);
  given(accessTokenDecider, made).when(revokeOne(true)).thenEvents(revoked);
  given(accessTokenDecider, created)
    .when(revokeOne(true))
    .thenRejected('not_found', { message: '404 Impersonation Token Not Found' });
});

test('a token ends on its day or with its user, once, and can be revoked afterwards', () => {
  const until = (expiresAt: string | null): AccessTokenEvent => ({
    type: 'PersonalAccessTokenCreated',
    data: { ...token, scopes: ['api'], expiresAt },
  });
  const end = (reason: 'expired' | 'deleted'): AccessTokenCommand => ({
    type: 'EndPersonalAccessToken',
    ...{ tokenId: 5, reason, today: '2026-03-10' },
  });
  const ended = (reason: 'expired' | 'deleted'): AccessTokenEvent => ({
    type: 'PersonalAccessTokenEnded',
    data: { tokenId: 5, userId: 2, reason },
  });
  given(accessTokenDecider, until('2026-03-10')).when(end('expired')).thenEvents(ended('expired'));
  given(accessTokenDecider, until('2026-03-11')).when(end('expired')).thenEvents();
  given(accessTokenDecider, until(null)).when(end('expired')).thenEvents();
  given(accessTokenDecider, until(null)).when(end('deleted')).thenEvents(ended('deleted'));
  given(accessTokenDecider, created, ended('deleted')).when(end('deleted')).thenEvents();
  given(accessTokenDecider, created, revoked).when(end('deleted')).thenEvents();
  given(accessTokenDecider).when(end('deleted')).thenEvents();
  given(accessTokenDecider, created, ended('expired')).when(revoke(2)).thenEvents(revoked);
});
