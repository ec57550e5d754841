import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { test } from 'vitest';
import { tokenCreated } from '../testing/account-events.ts';
import { openTokens, openTokensProjection } from './open-tokens.projection.ts';

const created = (tokenId: number, expiresAt: string | null = null) => tokenCreated(tokenId, 2, expiresAt);
const revoked = { type: 'PersonalAccessTokenRevoked', data: { tokenId: 1, userId: 2, name: 'laptop' } };
const ended = { type: 'PersonalAccessTokenEnded', data: { tokenId: 1, userId: 2, reason: 'expired' } };
const userDeleted = { type: 'UserDeleted', data: { userId: 2 } };

test('a token is open from its creation, with the day of its end', async () => {
  await givenEvents(openTokensProjection, created(1, '2031-01-01'), created(2)).thenDocuments(openTokens, [
    { id: 1, userId: 2, expiresAt: '2031-01-01' },
    { id: 2, userId: 2, expiresAt: null },
  ]);
});

test.each([
  ['a revocation', revoked],
  ['the end of its time', ended],
])('%s closes this token and no other', async (_, end) => {
  const all = [created(1), created(2), end];
  await givenEvents(openTokensProjection, ...all).thenDocuments(openTokens, [{ id: 2 }]);
});

test('a token of a deleted user stays open until its own end', async () => {
  const deleted = [created(1), userDeleted];
  await givenEvents(openTokensProjection, ...deleted).thenDocuments(openTokens, [{ id: 1 }]);
  await givenEvents(openTokensProjection, ...deleted, ended).thenDocuments(openTokens, []);
});
