import { OauthApplicationDeleted } from '@forgelog/contracts/admin/oauth-applications/oauth-application.events.ts';
import {
  OauthAuthorizationEnded,
  type OauthAuthorizationEvent,
  OauthAuthorizationRevoked,
  OauthTokensIssued,
} from '@forgelog/contracts/admin/oauth-authorizations/oauth-authorization.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/** The access token of each authorization. A refresh replaces it, so the one before opens nothing. */
export const gatewayOauthTokens = defineCollection({
  name: 'gateway_oauth_tokens',
  key: 'authorizationId',
  fields: {
    ...{ authorizationId: 'text', accessSha256: 'text', tokenId: 'integer', userId: 'integer' },
    ...{ oauthApplicationId: 'integer?', scopes: 'text[]', createdAt: 'text', expiresAt: 'text' },
  },
  indexes: [['accessSha256'], ['tokenId'], ['userId'], ['oauthApplicationId']],
  ownedBy: [
    endsWith(UserDeleted, ({ userId }) => eq('userId', userId)),
    endsWith(OauthApplicationDeleted, ({ oauthApplicationId }) =>
      eq('oauthApplicationId', oauthApplicationId),
    ),
  ],
});

export type GatewayOauthToken = DocumentOf<typeof gatewayOauthTokens>;

type Handled = Exclude<OauthAuthorizationEvent, { type: 'OauthAuthorizationGranted' }>;

export const oauthTokensProjection = defineProjection<Handled>({
  name: 'gateway-oauth-tokens',
  collections: [gatewayOauthTokens],
  handles: [OauthTokensIssued.type, OauthAuthorizationRevoked.type, OauthAuthorizationEnded.type],
  async project(event, documents) {
    const { authorizationId, userId, oauthApplicationId } = event.data;
    switch (event.type) {
      case 'OauthTokensIssued': {
        const { accessTokenSha256: accessSha256, tokenId, scopes, expiresAt } = event.data;
        return documents.put(gatewayOauthTokens, {
          ...{ authorizationId, userId, oauthApplicationId },
          ...{ accessSha256, tokenId, scopes, expiresAt, createdAt: event.time },
        });
      }
      case 'OauthAuthorizationRevoked':
      case 'OauthAuthorizationEnded':
        return documents.delete(gatewayOauthTokens, authorizationId);
      default:
        event satisfies never;
    }
  },
});
