import type { AccessTokenEvent } from '@forgelog/contracts/admin/access-tokens/access-token.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { test } from 'vitest';
import { accessTokens, accessTokensProjection } from './access-tokens.projection.ts';

const created = (tokenId: number, userId = 2): AccessTokenEvent => ({
  type: 'PersonalAccessTokenCreated',
  data: {
    ...{ tokenId, userId, name: 'laptop', scopes: ['api'], expiresAt: '2031-01-01' },
    ...{ tokenSha256: `hash${tokenId}`, impersonation: false, projectId: null, groupId: null },
  },
});
const revoked = (tokenId: number): AccessTokenEvent => ({
  type: 'PersonalAccessTokenRevoked',
  data: { tokenId, userId: 2, name: 'laptop' },
});

test('a token is stored by its hash, and works from its creation', async () => {
  await givenEvents(accessTokensProjection, created(1)).thenDocuments(accessTokens, [
    {
      ...{ id: 1, userId: 2, name: 'laptop', scopes: ['api'], expiresAt: '2031-01-01', sha256: 'hash1' },
      ...{ impersonation: false, bySystem: false, revoked: false, createdAt: '2030-01-01T00:00:01.000Z' },
    },
  ]);
});

test('a revoked token stays on record, and others still work', async () => {
  await givenEvents(accessTokensProjection, created(1), created(2), revoked(1)).thenDocuments(accessTokens, [
    { id: 1, revoked: true, sha256: 'hash1' },
    { id: 2, revoked: false },
  ]);
  await givenEvents(accessTokensProjection, revoked(1)).thenDocuments(accessTokens, []);
});

test('tokens are deleted with their user', async () => {
  const userDeleted = { type: 'UserDeleted', data: { userId: 2 } };
  await givenEvents(
    accessTokensProjection,
    ...[created(1), created(2), created(3, 4)],
    userDeleted,
  ).thenDocuments(accessTokens, [{ id: 3, userId: 4 }]);
});

test('the last use of a token is the latest that any gateway recorded', async () => {
  const used = (...uses: [tokenId: number, usedAt: string][]) => ({
    type: 'PersonalAccessTokensUsed' as const,
    data: { day: '2030-01-01', uses: uses.map(([tokenId, usedAt]) => ({ tokenId, usedAt })) },
  });
  const [early, late] = ['2030-01-01T10:00:00.000Z', '2030-01-01T10:10:00.000Z'];
  await givenEvents(
    accessTokensProjection,
    ...[created(1), created(2), created(3)],
    ...[used([1, late], [2, early], [99, late]), used([1, early])],
  ).thenDocuments(accessTokens, [
    { id: 1, lastUsedAt: late },
    { id: 2, lastUsedAt: early },
    { id: 3, lastUsedAt: null },
  ]);
});
