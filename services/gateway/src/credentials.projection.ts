import {
  type AccessTokenEvent,
  PersonalAccessTokenCreated,
  PersonalAccessTokenEnded,
  PersonalAccessTokenRevoked,
} from '@forgelog/contracts/admin/access-tokens/access-token.events.ts';
import {
  UserCreated,
  UserDeleted,
  type UserEvent,
  UserUpdated,
} from '@forgelog/contracts/admin/users/user.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/** The gateway's own copy of tokens, so that authentication calls no other service (ADR 3). */
export const gatewayTokens = defineCollection({
  name: 'gateway_tokens',
  key: 'sha256',
  fields: {
    ...{ sha256: 'text', tokenId: 'integer', userId: 'integer', scopes: 'text[]', expiresAt: 'text?' },
    impersonation: 'boolean',
  },
  indexes: [['tokenId'], ['userId']],
  ownedBy: [endsWith(UserDeleted, ({ userId }) => eq('userId', userId))],
});

export const gatewayPasswords = defineCollection({
  name: 'gateway_passwords',
  key: 'userId',
  fields: { userId: 'integer', passwordHash: 'text' },
  indexes: [],
  ownedBy: [endsWith(UserDeleted, ({ userId }) => eq('userId', userId))],
});

export type GatewayToken = DocumentOf<typeof gatewayTokens>;

type Handled = AccessTokenEvent | Extract<UserEvent, { type: 'UserCreated' | 'UserUpdated' }>;

export const credentialsProjection = defineProjection<Handled>({
  name: 'gateway-credentials',
  collections: [gatewayTokens, gatewayPasswords],
  handles: [
    PersonalAccessTokenCreated.type,
    PersonalAccessTokenRevoked.type,
    PersonalAccessTokenEnded.type,
    UserCreated.type,
    UserUpdated.type,
  ],
  async project(event, documents) {
    switch (event.type) {
      case 'PersonalAccessTokenCreated': {
        const { tokenSha256, tokenId, userId, scopes, expiresAt, impersonation } = event.data;
        const token = { tokenId, userId, scopes, expiresAt, impersonation };
        return documents.put(gatewayTokens, { sha256: tokenSha256, ...token });
      }
      case 'PersonalAccessTokenEnded':
      case 'PersonalAccessTokenRevoked': {
        const where = eq('tokenId', event.data.tokenId);
        const [token] = await documents.find(gatewayTokens, { where, limit: 1 });
        if (token) documents.delete(gatewayTokens, token.sha256);
        return;
      }
      case 'UserCreated':
      case 'UserUpdated': {
        const { userId } = event.data;
        const passwordHash =
          event.type === 'UserCreated' ? event.data.passwordHash : event.data.changes.passwordHash;
        if (passwordHash) documents.put(gatewayPasswords, { userId, passwordHash });
        return;
      }
      default:
        event satisfies never;
    }
  },
});
