import {
  type AccessTokenEvent,
  type AccessTokensUsed,
  accessTokenEvents,
  PersonalAccessTokensUsed,
} from '@forgelog/contracts/admin/access-tokens/access-token.events.ts';
import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const accessTokens = defineCollection({
  name: 'access_tokens',
  key: 'id',
  fields: {
    id: 'integer',
    userId: 'integer',
    name: 'text',
    scopes: 'text[]',
    impersonation: 'boolean',
    /** The place of its bot; null for tokens of people. */
    projectId: 'integer?',
    groupId: 'integer?',
    /** Made by a start or on the operator's command line, and not through the API. */
    bySystem: 'boolean',
    revoked: 'boolean',
    expiresAt: 'text?',
    sha256: 'text',
    createdAt: 'text',
    lastUsedAt: 'text?',
  },
  indexes: [['impersonation', 'userId'], ['userId', 'sha256'], ['projectId'], ['groupId']],
  ownedBy: [
    endsWith(UserDeleted, ({ userId }) => eq('userId', userId)),
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export type AccessTokenRow = DocumentOf<typeof accessTokens>;

export const accessTokensProjection = defineProjection<AccessTokenEvent | AccessTokensUsed>({
  name: 'access-tokens',
  collections: [accessTokens],
  handles: [...accessTokenEvents, PersonalAccessTokensUsed].map(({ type }) => type),
  async project(event, documents) {
    switch (event.type) {
      case 'PersonalAccessTokenCreated': {
        const { tokenId: id, tokenSha256, ...token } = event.data;
        const bySystem = event.metadata.actorId === null;
        const beginning = { revoked: false, bySystem, createdAt: event.time, lastUsedAt: null };
        return documents.put(accessTokens, { id, ...token, ...beginning, sha256: tokenSha256 });
      }
      case 'PersonalAccessTokenEnded':
        return;
      case 'PersonalAccessTokenRevoked': {
        const row = await documents.get(accessTokens, event.data.tokenId);
        if (row) documents.put(accessTokens, { ...row, revoked: true });
        return;
      }
      case 'PersonalAccessTokensUsed':
        for (const { tokenId, usedAt } of event.data.uses) {
          const row = await documents.get(accessTokens, tokenId);
          // Gateways record each by itself.
          if (row && usedAt > (row.lastUsedAt ?? ''))
            documents.put(accessTokens, { ...row, lastUsedAt: usedAt });
        }
        return;
      default:
        event satisfies never;
    }
  },
});
