import { type AccessTokenEvent, accessTokenEvents } from '@forgelog/contracts/admin/access-token.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/user.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';
import { writeReadyJson } from '@forgelog/service-kit/ready-json.ts';

export const accessTokens = defineCollection({
  name: 'access_tokens',
  key: 'id',
  fields: {
    id: 'integer',
    userId: 'integer',
    name: 'text',
    scopes: 'text[]',
    impersonation: 'boolean',
    revoked: 'boolean',
    expiresAt: 'text',
    sha256: 'text',
    createdAt: 'text',
    /** Ready JSON without `active`, which depends on the day. */
    body: 'text',
  },
  indexes: [
    ['impersonation', 'userId'],
    ['userId', 'sha256'],
  ],
  ownedBy: [endsWith(UserDeleted, ({ userId }) => eq('userId', userId))],
});

export type AccessTokenRow = DocumentOf<typeof accessTokens>;

export const accessTokensProjection = defineProjection<AccessTokenEvent>({
  name: 'access-tokens',
  collections: [accessTokens],
  handles: accessTokenEvents.map(({ type }) => type),
  async project(event, documents) {
    switch (event.type) {
      case 'PersonalAccessTokenCreated': {
        const { tokenId, userId, name, scopes, expiresAt, tokenSha256, impersonation } = event.data;
        const token = { id: tokenId, userId, name, scopes, impersonation, expiresAt };
        return documents.put(
          accessTokens,
          withBody({ ...token, revoked: false, sha256: tokenSha256, createdAt: event.time }),
        );
      }
      case 'PersonalAccessTokenRevoked': {
        const row = await documents.get(accessTokens, event.data.tokenId);
        if (row) documents.put(accessTokens, withBody({ ...row, revoked: true }));
        return;
      }
      default:
        event satisfies never;
    }
  },
});

function withBody(row: Omit<AccessTokenRow, 'body'>): AccessTokenRow {
  return {
    ...row,
    body: writeReadyJson({
      id: row.id,
      name: row.name,
      revoked: row.revoked,
      created_at: row.createdAt,
      scopes: row.scopes,
      user_id: row.userId,
      expires_at: row.expiresAt,
      // Not recorded: it would turn every read into a write.
      last_used_at: null,
    }),
  };
}
