import {
  type AccessTokenEvent,
  accessTokenEvents,
} from '@forgelog/contracts/admin/access-tokens/access-token.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { defineCollection } from '@forgelog/eventing/read-store.ts';

/** Tokens without an event that ends them. One of a deleted user or place stays until a policy has appended its end. */
export const openTokens = defineCollection({
  name: 'open_tokens',
  key: 'id',
  fields: {
    ...{ id: 'integer', userId: 'integer', projectId: 'integer?', groupId: 'integer?' },
    expiresAt: 'text?',
  },
  indexes: [['userId'], ['projectId'], ['groupId'], ['expiresAt']],
});

export const openTokensProjection = defineProjection<AccessTokenEvent>({
  name: 'open-tokens',
  collections: [openTokens],
  handles: accessTokenEvents.map(({ type }) => type),
  async project({ type, data }, documents) {
    if (type === 'PersonalAccessTokenCreated') {
      const { tokenId: id, userId, projectId, groupId, expiresAt } = data;
      documents.put(openTokens, { id, userId, projectId, groupId, expiresAt });
    } else documents.delete(openTokens, data.tokenId);
  },
});
