import { USER_BLOCKED, USER_UNBLOCKED, type UserEvent } from '@forgelog/contracts/admin/users/user.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { expect, test } from 'vitest';
import type { UserRecord } from './user-record.ts';
import { users, usersProjection } from './users.projection.ts';

type Created = Extract<UserEvent, { type: 'UserCreated' }>['data'];
type Changes = Extract<UserEvent, { type: 'UserUpdated' }>['data']['changes'];

const saml = { provider: 'saml', extern_uid: 's', saml_provider_id: 3 };
const created = (userId: number, more: Partial<Created> = {}): UserEvent => ({
  type: 'UserCreated',
  data: {
    ...{ userId, namespaceId: 1000 + userId, username: 'Ada', name: 'Ádá', email: 'Ada@example.org' },
    ...{ admin: false, external: false, bot: false, passwordHash: '$argon2id$x', confirmed: true },
    ...{ identities: [saml], profile: { bio: 'b' } },
    ...more,
  },
});
const updated = (changes: Changes): UserEvent => ({
  type: 'UserUpdated',
  data: { userId: 2, changes, previous: null, withheldChanges: [] },
});
const blocked: UserEvent = { type: 'UserBlocked', data: { userId: 2, ...USER_BLOCKED } };
const unblocked: UserEvent = { type: 'UserUnblocked', data: { userId: 2, ...USER_UNBLOCKED } };

const after = (...events: readonly UserEvent[]) => givenEvents(usersProjection, ...events);
/** A part of the record, whose other fields hold anything. */
const record = (part: Partial<UserRecord>) => ({ record: part as UserRecord });

test('a user is found by name and address whatever the case, and by their identities', async () => {
  await after(created(2)).thenDocuments(users, [
    {
      ...{ id: 2, namespaceId: 1002, username: 'Ada', usernameLower: 'ada', nameFolded: 'ádá' },
      ...{ email: 'Ada@example.org', emailLower: 'ada@example.org', state: 'active', canCreateGroup: true },
      ...{ identityKeys: ['saml s'], samlProviderIds: [3], createdAt: '2030-01-01T00:00:01.000Z' },
    },
  ]);
});

test('the password hash is in no document', async () => {
  const [ada] = await after(created(2), updated({ passwordHash: '$argon2id$y' })).documents(users);
  expect(JSON.stringify(ada)).not.toContain('argon2id');
});

test('an address is confirmed at the time of its confirmation', async () => {
  const confirmedAt = '2030-01-01T00:00:01.000Z';
  await after(created(2), updated({ name: 'A' })).thenDocuments(users, [record({ confirmedAt })]);
  await after(created(2, { confirmed: false })).thenDocuments(users, [record({ confirmedAt: null })]);
  await after(created(2), updated({ email: 'n@example.org', confirmed: false })).thenDocuments(users, [
    { emailLower: 'n@example.org', ...record({ confirmedAt: null }) },
  ]);
  await after(created(2), updated({ email: 'n@example.org', confirmed: true })).thenDocuments(users, [
    record({ confirmedAt: '2030-01-01T00:00:02.000Z' }),
  ]);
});

test('a change keeps all that it does not name', async () => {
  await after(
    created(2),
    updated({ username: 'Lovelace', profile: { skype: 's', can_create_group: false }, identities: [] }),
  ).thenDocuments(users, [
    {
      ...{ username: 'Lovelace', usernameLower: 'lovelace', name: 'Ádá', canCreateGroup: false },
      ...{ identityKeys: [], samlProviderIds: [] },
      ...{ createdAt: '2030-01-01T00:00:01.000Z', updatedAt: '2030-01-01T00:00:02.000Z' },
      ...record({ profile: { bio: 'b', skype: 's', can_create_group: false } }),
    },
  ]);
});

test('a user is blocked until they are unblocked', async () => {
  const state = (state: 'active' | 'blocked') => ({ state, ...record({ state }) });
  await after(created(2), blocked).thenDocuments(users, [state('blocked')]);
  await after(created(2), blocked, unblocked).thenDocuments(users, [state('active')]);
});

test('a deleted user is gone and stays gone', async () => {
  const deleted: UserEvent = {
    type: 'UserDeleted',
    data: { userId: 2, namespaceId: 1002, username: 'Ada', email: 'Ada@example.org', hardDelete: false },
  };
  const other = created(3, { username: 'bob' });
  await after(created(2), other, deleted).thenDocuments(users, [{ id: 3 }]);
  await after(created(2), other, deleted, blocked, updated({ name: 'A' })).thenDocuments(users, [{ id: 3 }]);
});
