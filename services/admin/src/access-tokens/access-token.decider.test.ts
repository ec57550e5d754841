import type { AccessTokenEvent } from '@forgelog/contracts/admin/access-tokens/access-token.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { expect, test } from 'vitest';
import { type AccessTokenCommand, accessTokenDecider } from './access-token.decider.ts';

const create = {
  type: 'CreatePersonalAccessToken',
  tokenId: 5,
  userId: 2,
  name: 'laptop',
  scopes: ['api'],
  expiresAt: null,
  tokenSha256: 'ab',
  impersonation: false,
} as const satisfies AccessTokenCommand;

const decide = (past: readonly AccessTokenEvent[], command: AccessTokenCommand) =>
  accessTokenDecider.decide(command, past.reduce(accessTokenDecider.evolve, accessTokenDecider.initialState));
const issued = decide([], create);
const revoke = (ownerId: number | null): AccessTokenCommand => ({
  type: 'RevokePersonalAccessToken',
  tokenId: 5,
  ownerId,
});

test('a token has a name, and each scope once', () => {
  expect(decide([], { ...create, scopes: ['api', 'sudo', 'api'] })).toMatchObject([
    { data: { scopes: ['api', 'sudo'] } },
  ]);
  for (const wrong of [{ name: ' ' }, { scopes: [] }])
    expect(() => decide([], { ...create, ...wrong })).toThrow(Rejection);
});

test('a token is revoked once, by its owner or an administrator', () => {
  for (const ownerId of [2, null]) {
    const revoked = decide(issued, revoke(ownerId));
    expect(revoked).toEqual([
      { type: 'PersonalAccessTokenRevoked', data: { tokenId: 5, userId: 2, name: 'laptop' } },
    ]);
    expect(decide([...issued, ...revoked], revoke(ownerId))).toEqual([]);
  }
});

test('a token of another user looks like one that does not exist', () => {
  for (const attempt of [() => decide(issued, revoke(3)), () => decide([], revoke(null))]) {
    expect(attempt).toThrow(
      expect.objectContaining({ body: { message: '404 Personal Access Token Not Found' } }),
    );
  }
});
