import type { UserKeyEvent } from '@forgelog/contracts/admin/user-keys/user-key.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { test } from 'vitest';
import { userKeys, userKeysProjection } from './user-keys.projection.ts';

const created = (userKeyId: number, userId = 2): UserKeyEvent => ({
  type: 'UserKeyCreated',
  data: {
    ...{ userKeyId, userId, kind: 'gpg', fingerprint: String(userKeyId).repeat(40), title: null, key: 'K' },
    ...{ keyIds: ['1', '2'], identities: [{ name: 'Ada', email: 'ada@example.org' }], expiresAt: null },
  },
});

test('a key ends by itself and with its user', async () => {
  await givenEvents(
    userKeysProjection,
    ...[created(1), created(2), created(3, 9)],
    {
      type: 'UserKeyDeleted',
      data: { userKeyId: 1, userId: 2, kind: 'gpg', fingerprint: '1'.repeat(40) },
    } satisfies UserKeyEvent,
    {
      type: 'UserDeleted',
      data: { userId: 2, namespaceId: 2, username: 'ada', email: 'ada@example.org', hardDelete: false },
    },
  ).thenDocuments(userKeys, [{ id: 3, names: ['Ada'], emails: ['ada@example.org'], keyIds: ['1', '2'] }]);
});
