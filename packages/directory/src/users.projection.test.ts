import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { directoryUsers } from './collections.ts';
import { directoryUsersProjection } from './users.projection.ts';

const created = userCreated(7).event;
const updated = (changes: object) => ({ type: 'UserUpdated', data: { userId: 7, changes } });
const of = (...events: { type: string; data: object }[]) =>
  givenEvents(directoryUsersProjection, created, ...events);

test('a new user is active, and found by the name in small letters', async () => {
  const ada = { ...created, data: { ...(created.data as object), username: 'Ada', profile: {} } };
  await givenEvents(directoryUsersProjection, ada).thenDocuments(directoryUsers, [
    {
      ...{ id: 7, namespaceId: 1007, username: 'Ada', usernameLower: 'ada', name: 'User 7', state: 'active' },
      ...{ email: 'user7@example.org', admin: false, external: false, projectsLimit: null, avatarUrl: null },
      ...{ emailConfirmed: true, bot: false },
    },
  ]);
});

test('an update changes what it names', async () => {
  const [before] = await of().documents(directoryUsers);
  const [after] = await of(
    updated({
      username: 'Grace',
      admin: true,
      confirmed: false,
      profile: { projects_limit: 3, avatar_url: 'http://a' },
    }),
  ).documents(directoryUsers);
  expect(after).toEqual({
    ...before,
    ...{ username: 'Grace', usernameLower: 'grace', admin: true, projectsLimit: 3, avatarUrl: 'http://a' },
    emailConfirmed: false,
  });
  const cleared = updated({ profile: { avatar_url: null } });
  await of(updated({ profile: { avatar_url: 'http://a' } }), cleared).thenDocuments(directoryUsers, [
    { avatarUrl: null },
  ]);
});

test('a block holds until it is lifted', async () => {
  const [block, unblock] = ['UserBlocked', 'UserUnblocked'].map((type) => ({ type, data: { userId: 7 } }));
  await of(block!).thenDocuments(directoryUsers, [{ state: 'blocked' }]);
  await of(block!, unblock!).thenDocuments(directoryUsers, [{ state: 'active' }]);
});

test('a deleted user stays as a ghost without rights, name or address', async () => {
  const data = { userId: 7, namespaceId: 1007, username: 'user7', email: 'x@example.org', hardDelete: false };
  await of(updated({ admin: true }), { type: 'UserDeleted', data }).thenDocuments(directoryUsers, [
    {
      ...{ id: 7, username: 'ghost', usernameLower: null, name: 'Ghost User', email: null },
      ...{ admin: false, state: 'deleted', avatarUrl: null },
    },
  ]);
});

test('events of a user who is not known make none', async () => {
  await givenEvents(directoryUsersProjection, updated({ name: 'X' })).thenDocuments(directoryUsers, []);
});
