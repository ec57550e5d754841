import { type UserKeyEvent, userKeyEvents } from '@forgelog/contracts/admin/user-keys/user-key.events.ts';
import { userKeyLifetime } from '@forgelog/contracts/admin/user-keys/user-key.lifetime.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const userKeys = defineCollection({
  name: 'user_keys',
  key: 'id',
  fields: {
    id: 'integer',
    userId: 'integer',
    kind: 'text',
    fingerprint: 'text',
    title: 'text?',
    key: 'text',
    keyIds: 'text[]',
    names: 'text[]',
    emails: 'text[]',
    expiresAt: 'text?',
    createdAt: 'text',
  },
  indexes: [['userId', 'kind'], ['keyIds']],
  holds: { lifetime: userKeyLifetime },
  ownedBy: [endsWith(UserDeleted, ({ userId }) => eq('userId', userId))],
});

export type UserKeyRow = DocumentOf<typeof userKeys>;

export const userKeysProjection = defineProjection<UserKeyEvent>({
  name: 'user-keys',
  collections: [userKeys],
  handles: userKeyEvents.map(({ type }) => type),
  async project(event, documents) {
    switch (event.type) {
      case 'UserKeyCreated': {
        const { userKeyId: id, identities, ...key } = event.data;
        return documents.put(userKeys, {
          ...{ ...key, id },
          names: identities.map(({ name }) => name),
          emails: identities.map(({ email }) => email),
          createdAt: event.time,
        });
      }
      case 'UserKeyDeleted':
        return documents.delete(userKeys, event.data.userKeyId);
      default:
        event satisfies never;
    }
  },
});
