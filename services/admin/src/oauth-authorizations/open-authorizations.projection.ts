import {
  type OauthAuthorizationEvent,
  oauthAuthorizationEvents,
} from '@forgelog/contracts/admin/oauth-authorizations/oauth-authorization.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { defineCollection } from '@forgelog/eventing/read-store.ts';
import { endOf } from './oauth-authorization.decider.ts';

/** Authorizations without an event that ends them. One of a deleted user stays until a policy has appended its end. */
export const openAuthorizations = defineCollection({
  name: 'open_authorizations',
  key: 'id',
  fields: { id: 'text', userId: 'integer', oauthApplicationId: 'integer?', endsAt: 'text' },
  indexes: [['userId'], ['oauthApplicationId'], ['endsAt']],
});

export const openAuthorizationsProjection = defineProjection<OauthAuthorizationEvent>({
  name: 'open-authorizations',
  collections: [openAuthorizations],
  handles: oauthAuthorizationEvents.map(({ type }) => type),
  async project(event, documents) {
    const { authorizationId: id, userId, oauthApplicationId } = event.data;
    switch (event.type) {
      case 'OauthAuthorizationGranted': {
        const { code } = event.data;
        // Tokens at once tell the end by an event of their own.
        const endsAt = code ? endOf(code.expiresAt, true) : event.time;
        return documents.put(openAuthorizations, { id, userId, oauthApplicationId, endsAt });
      }
      case 'OauthTokensIssued':
        return documents.put(openAuthorizations, {
          ...{ id, userId, oauthApplicationId, endsAt: endOf(event.data.expiresAt, false) },
        });
      case 'OauthAuthorizationRevoked':
      case 'OauthAuthorizationEnded':
        return documents.delete(openAuthorizations, id);
      default:
        event satisfies never;
    }
  },
});
