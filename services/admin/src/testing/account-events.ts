import type { AccessTokenEvent } from '@forgelog/contracts/admin/access-tokens/access-token.events.ts';
import { on, type StreamedEvent } from '@forgelog/testing/sample-events.ts';

/** Their contributions stay. */
export const userDeleted = (userId: number): StreamedEvent =>
  on(`user-${userId}`, {
    type: 'UserDeleted',
    data: {
      ...{ userId, namespaceId: 1000 + userId, username: `user${userId}` },
      ...{ email: `user${userId}@example.org`, hardDelete: false },
    },
  });

export const tokenCreated = (
  tokenId: number,
  userId: number,
  expiresAt: string | null = null,
): AccessTokenEvent => ({
  type: 'PersonalAccessTokenCreated',
  data: {
    ...{ tokenId, userId, name: 'laptop', scopes: ['api'], expiresAt },
    ...{ tokenSha256: `hash${tokenId}`, impersonation: false, projectId: null, groupId: null },
  },
});

/** In a stream of its own. */
export const issued = (...token: Parameters<typeof tokenCreated>): StreamedEvent =>
  on(`accessToken-${token[0]}`, tokenCreated(...token));
