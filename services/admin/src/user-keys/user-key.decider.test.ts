import type { UserKeyEvent } from '@forgelog/contracts/admin/user-keys/user-key.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { userKeyDecider } from './user-key.decider.ts';

const ids = { userKeyId: 3, userId: 2, kind: 'ssh', fingerprint: 'a'.repeat(64) } as const;
const facts = { title: 'Laptop', key: 'ssh-ed25519 A', keyIds: ['x'], identities: [], expiresAt: null };
const data = { ...ids, ...facts };
const create = {
  type: 'CreateUserKey',
  ...data,
  now: '2030-01-01T00:00:00.000Z',
  formerUserId: null,
} as const;
const created: UserKeyEvent = { type: 'UserKeyCreated', data };
const { userKeyId, fingerprint } = ids;
const remove = { type: 'DeleteUserKey', userKeyId, fingerprint } as const;
const deleted: UserKeyEvent = { type: 'UserKeyDeleted', data: ids };

test('a key belongs to one user at a time', () => {
  given(userKeyDecider).when(create).thenEvents(created);
  given(userKeyDecider, created)
    .when({ ...create, userKeyId: 4, userId: 9 })
    .thenRejected('validation_failed', { message: { fingerprint: ['has already been taken'] } });
  given(userKeyDecider, created, deleted).when(create).thenEvents(created);
});

test('a key that a deleted user holds is free', () => {
  given(userKeyDecider, created)
    .when({ ...create, formerUserId: 2 })
    .thenEvents(created);
  given(userKeyDecider, created)
    .when({ ...create, formerUserId: 9 })
    .thenRejected('validation_failed');
});

test('all that is wrong with a key is said at once', () => {
  given(userKeyDecider)
    .when({ ...create, title: ' ', expiresAt: '2030-01-01T00:00:00.000Z' })
    .thenRejected('validation_failed', {
      message: { title: ["can't be blank"], key: ['has expired'] },
    });
});

test('a key is deleted once, and not where it is another one by now', () => {
  given(userKeyDecider, created).when(remove).thenEvents(deleted);
  given(userKeyDecider, created, deleted).when(remove).thenEvents();
  given(userKeyDecider, created)
    .when({ ...remove, userKeyId: 9 })
    .thenEvents();
});
