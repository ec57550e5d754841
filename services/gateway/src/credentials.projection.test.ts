import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { credentialsProjection, gatewayPasswords, gatewayTokens } from './credentials.projection.ts';

type Event = { type: string; data: unknown };
const of = (...events: Event[]) => givenEvents(credentialsProjection, ...events);

const token = (tokenId: number, userId: number): Event => ({
  type: 'PersonalAccessTokenCreated',
  data: {
    tokenId,
    userId,
    tokenSha256: `sha-${tokenId}`,
    scopes: ['api'],
    expiresAt: '2030-02-01',
    impersonation: false,
  },
});
const revoked = (tokenId: number): Event => ({
  type: 'PersonalAccessTokenRevoked',
  data: { tokenId, userId: 5 },
});
const withPassword = (passwordHash: string | null): Event => {
  const { event } = userCreated(5);
  return { ...event, data: { ...(event.data as object), passwordHash } };
};
const updated = (changes: object): Event => ({ type: 'UserUpdated', data: { userId: 5, changes } });
const userDeleted: Event = { type: 'UserDeleted', data: { userId: 5, namespaceId: 1005 } };

test('a token is known by its hash until it is revoked', async () => {
  await of(token(1, 5), token(2, 5)).thenDocuments(gatewayTokens, [
    { sha256: 'sha-1', tokenId: 1, userId: 5, scopes: ['api'], expiresAt: '2030-02-01' },
    { sha256: 'sha-2', tokenId: 2 },
  ]);
  await of(token(1, 5), token(2, 5), revoked(1)).thenDocuments(gatewayTokens, [{ tokenId: 2 }]);
  await of(token(1, 5), revoked(9)).thenDocuments(gatewayTokens, [{ tokenId: 1 }]);
});

test('the last password holds, and other changes of a user keep it', async () => {
  await of(withPassword(null)).thenDocuments(gatewayPasswords, []);
  await of(withPassword('one')).thenDocuments(gatewayPasswords, [{ userId: 5, passwordHash: 'one' }]);
  await of(withPassword('one'), updated({ name: 'X' })).thenDocuments(gatewayPasswords, [
    { passwordHash: 'one' },
  ]);
  await of(withPassword('one'), updated({ passwordHash: 'two' })).thenDocuments(gatewayPasswords, [
    { passwordHash: 'two' },
  ]);
});

test('the credentials of a deleted user are gone, and no others', async () => {
  const events = [withPassword('one'), token(1, 5), token(2, 6), userDeleted];
  await of(...events).thenDocuments(gatewayPasswords, []);
  await of(...events).thenDocuments(gatewayTokens, [{ tokenId: 2 }]);
});
