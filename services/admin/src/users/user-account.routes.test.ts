import {
  blockUser,
  createUser,
  deleteIdentity,
  deleteUser,
  getUser,
  listUsers,
  unblockUser,
  updateUser,
} from '@forgelog/contracts/admin/users/user.api.ts';
import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { type Reply, startSlices } from '@forgelog/testing/start-slices.ts';
import { verify } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { groupCreated, inGroup } from '../testing/group-events.ts';
import { userSlice } from './user.slice.ts';

// New users count from 1.
const ADMIN = 11;
const ADA = 12;
const BOB = 13;
const given = [userCreated(ADMIN, { admin: true }), userCreated(ADA), userCreated(BOB)];
/** A new account without a password. */
const person = (username: string, more: object = {}) => ({
  ...{ username, name: username, email: `${username}@example.org`, force_random_password: true },
  ...more,
});
const missing = { status: 404, body: { message: '404 User Not Found' }, events: [] };
/** Claims of names aside. */
const ofUsers = ({ events }: Reply) => events.filter(({ type }: DomainEvent) => type.startsWith('User'));

test('an administrator creates a user, with what they give', async () => {
  const { call } = await startSlices([userSlice], given);
  const { force_random_password: _, ...basic } = person('eve');
  const shown = { ...basic, bio: 'b', note: 'n', projects_limit: 0, can_create_group: false, theme_id: 3 };
  const more = { admin: true, skip_confirmation: true, private_profile: null, password: 'long enough' };
  const created = await call(createUser, { ...shown, ...more }, ADMIN);
  expect(created).toMatchObject({
    status: 201,
    body: { ...shown, id: 1, is_admin: true, private_profile: false, can_create_project: false },
  });
  expect(created.body.confirmed_at).toBe(created.body.created_at);
  expect((await call(getUser, { id: 1 }, ADMIN)).body).toEqual(created.body);
  expect(ofUsers(created)).toMatchObject([{ type: 'UserCreated', data: { userId: 1, username: 'eve' } }]);
  expect(JSON.stringify(created)).not.toContain('long enough');
  const { passwordHash } = ofUsers(created)[0]!.data as { passwordHash: string };
  expect(await verify(passwordHash, 'long enough')).toBe(true);
});

test('only administrators create, change, block and delete users', async () => {
  const { call } = await startSlices([userSlice], given);
  for (const [endpoint, params] of [
    [createUser, person('eve')],
    [updateUser, { id: ADA, name: 'x' }],
    [blockUser, { id: BOB }],
    [unblockUser, { id: BOB }],
    [deleteUser, { id: BOB }],
  ] as const) {
    expect(await call(endpoint, params, ADA)).toMatchObject({ status: 403, events: [] });
    expect(await call(endpoint, params)).toMatchObject({ status: 401, events: [] });
  }
});

test('a user needs an address, a name, a username and a way to a password', async () => {
  const { call } = await startSlices([userSlice], given);
  const { force_random_password: _, ...without } = person('eve');
  const ways = 'password, reset_password, force_random_password are missing';
  for (const [wrong, body] of [
    [{ password: 'long enough' }, { error: 'email is missing, name is missing, username is missing' }],
    [without, { error: `${ways}, at least one parameter must be provided` }],
    [{ ...without, reset_password: false }, { message: { password: ["can't be blank"] } }],
    [
      { ...without, password: 'short' },
      { message: { password: ['is too short (minimum is 8 characters)'] } },
    ],
    [person('eve', { email: 'nonsense' }), { message: { email: ['is invalid'] } }],
    [person('eve', { name: ' ' }), { message: { name: ["can't be blank"] } }],
    [person('eve', { username: '' }), { message: { username: ["can't be blank"] } }],
    [person('api'), { message: { username: ['api is a reserved name'] } }],
  ] as const)
    expect(await call(createUser, wrong, ADMIN)).toMatchObject({ status: 400, body, events: [] });
  for (const username of ['a/b', '-a', 'a.git', '.', 'x y', 'Users']) {
    const { status, body } = await call(createUser, person('eve', { username }), ADMIN);
    expect([status, Object.keys(body.message)]).toEqual([400, ['username']]);
  }
  // No refused one used up an id.
  expect((await call(createUser, person('eve'), ADMIN)).body.id).toBe(1);
});

test('each flag stands for a password that nobody knows', async () => {
  const { call } = await startSlices([userSlice], given);
  const { force_random_password: _, ...without } = person('eve');
  const created = await call(createUser, { ...without, reset_password: true, password: 'short' }, ADMIN);
  expect(ofUsers(created)).toMatchObject([{ data: { passwordHash: null } }]);
});

test('a username and an address have one owner, whatever the case, and a rename frees them', async () => {
  const { call } = await startSlices([userSlice], given);
  const eve = (await call(createUser, person('eve'), ADMIN)).body;
  const address = { status: 409, body: { message: 'Email has already been taken' }, events: [] };
  const username = { status: 409, body: { message: 'Username has already been taken' }, events: [] };
  const other = person('EVE', { email: 'other@example.org' });
  expect(await call(createUser, person('fay', { email: 'EVE@example.org' }), ADMIN)).toMatchObject(address);
  expect(await call(createUser, other, ADMIN)).toMatchObject(username);
  expect(await call(updateUser, { id: ADA, email: 'Eve@example.org' }, ADMIN)).toMatchObject(address);
  expect(await call(updateUser, { id: ADA, username: 'Eve' }, ADMIN)).toMatchObject(username);
  // Another case of one's own name is no other name.
  expect((await call(updateUser, { id: eve.id, username: 'Eve' }, ADMIN)).body.username).toBe('Eve');
  await call(updateUser, { id: eve.id, username: 'after', email: 'after@example.org' }, ADMIN);
  expect((await call(createUser, person('eve'), ADMIN)).status).toBe(201);
  expect(await call(createUser, person('AFTER', { email: 'n@example.org' }), ADMIN)).toMatchObject(username);
});

test('an administrator takes an identity from a user, once', async () => {
  const { call } = await startSlices([userSlice], given);
  await call(updateUser, { id: ADA, provider: 'ldap', extern_uid: 'a' }, ADMIN);
  const one = { id: ADA, provider: 'ldap' };
  expect((await call(deleteIdentity, one, ADA)).status).toBe(403);
  expect(await call(deleteIdentity, one, ADMIN)).toMatchObject({
    status: 204,
    events: [{ type: 'UserUpdated', data: { changes: { identities: [] } } }],
  });
  expect((await call(getUser, { id: ADA }, ADMIN)).body.identities).toEqual([]);
  const noIdentity = { status: 404, body: { message: '404 Identity Not Found' }, events: [] };
  expect(await call(deleteIdentity, one, ADMIN)).toMatchObject(noIdentity);
  expect(await call(deleteIdentity, { ...one, id: 99 }, ADMIN)).toMatchObject(missing);
});

test('an update changes what it names and nothing else', async () => {
  const { call } = await startSlices([userSlice], given);
  await call(updateUser, { id: ADA, bio: 'old', location: 'here', provider: 'ldap', extern_uid: 'a' }, ADMIN);
  const changes = { name: 'New', bio: 'new', admin: true, extern_uid: 'b', provider: 'ldap' };
  const changed = await call(updateUser, { id: ADA, ...changes, force_random_password: true }, ADMIN);
  expect(changed).toMatchObject({
    status: 200,
    body: {
      ...{ id: ADA, username: `user${ADA}`, name: 'New', bio: 'new', location: 'here', is_admin: true },
      identities: [{ provider: 'ldap', extern_uid: 'b', saml_provider_id: null }],
    },
  });
  expect(ofUsers(changed)).toMatchObject([{ type: 'UserUpdated', data: { userId: ADA } }]);
  expect(ofUsers(changed)[0]!.data).not.toHaveProperty('changes.passwordHash');
  expect(await call(updateUser, { id: ADA, name: 'New' }, ADMIN)).toMatchObject({ status: 200, events: [] });
  expect(await call(updateUser, { id: 99, name: 'x' }, ADMIN)).toMatchObject(missing);
});

test('a wrong update is refused as a whole', async () => {
  const { call } = await startSlices([userSlice], given);
  for (const [wrong, body] of [
    [{ public_email: 'x@example.org' }, { message: { public_email: ['is not an email you own'] } }],
    [{ password: 'short' }, { message: { password: ['is too short (minimum is 8 characters)'] } }],
    [
      { website_url: 'javascript:alert(1)' },
      { error: expect.stringMatching(/^website_url (is blocked|must)/) },
    ],
    [{ provider: 'x' }, { error: 'extern_uid, provider provide all or none of parameters' }],
  ] as const)
    expect(await call(updateUser, { id: ADA, name: 'New', ...wrong }, ADMIN)).toMatchObject({
      ...{ status: 400, body, events: [] },
    });
});

test('a new address is unconfirmed and no longer public, unless the administrator confirms it', async () => {
  const { call } = await startSlices([userSlice], given);
  const address = { id: ADA, email: 'new@example.org' };
  const shown = await call(updateUser, { id: ADA, public_email: `user${ADA}@example.org` }, ADMIN);
  expect(shown.body).toMatchObject({ public_email: `user${ADA}@example.org` });
  expect((await call(updateUser, address, ADMIN)).body).toMatchObject({
    public_email: '',
    confirmed_at: null,
  });
  const confirmed = await call(
    updateUser,
    { ...address, id: BOB, email: 'b@example.org', skip_reconfirmation: true },
    ADMIN,
  );
  expect(confirmed.body.confirmed_at).not.toBeNull();
});

test('a user is blocked and unblocked once, and never by themselves', async () => {
  const { call } = await startSlices([userSlice], given);
  const outcomes = [];
  for (const endpoint of [blockUser, blockUser, unblockUser, unblockUser]) {
    const { status, body, events } = await call(endpoint, { id: ADA }, ADMIN);
    outcomes.push([status, body, events.map(({ type }) => type)]);
  }
  expect(outcomes).toEqual([
    [201, true, ['UserBlocked']],
    [201, null, []],
    [201, true, ['UserUnblocked']],
    [201, false, []],
  ]);
  expect(await call(blockUser, { id: ADMIN }, ADMIN)).toMatchObject({
    status: 403,
    body: { message: '403 Forbidden - The API initiating user cannot be blocked by the API' },
    events: [],
  });
  for (const endpoint of [blockUser, unblockUser])
    expect(await call(endpoint, { id: 99 }, ADMIN)).toMatchObject(missing);
});

test('a deleted user is gone, and their names are free', async () => {
  const { call } = await startSlices([userSlice], given);
  const { id } = (await call(createUser, person('eve'), ADMIN)).body;
  expect(await call(deleteUser, { id }, ADMIN)).toMatchObject({
    ...{ status: 204, body: null },
    events: [{ type: 'UserDeleted', data: { userId: id, username: 'eve', hardDelete: false } }],
  });
  expect((await call(getUser, { id })).status).toBe(404);
  expect((await call(listUsers, { username: 'eve' }, ADMIN)).body).toEqual([]);
  expect(await call(deleteUser, { id }, ADMIN)).toMatchObject(missing);
  expect((await call(createUser, person('eve'), ADMIN)).status).toBe(201);
});

test('who alone owns a group is only deleted together with it', async () => {
  const { call } = await startSlices([userSlice], [...given, inGroup(groupCreated(50, { creatorId: ADA }))]);
  expect(await call(deleteUser, { id: ADA }, ADMIN)).toMatchObject({
    status: 409,
    body: { message: 'User cannot be removed while is the sole-owner of a group' },
    events: [],
  });
  expect(await call(deleteUser, { id: ADA, hard_delete: true }, ADMIN)).toMatchObject({
    status: 204,
    events: [{ type: 'UserDeleted', data: { userId: ADA, hardDelete: true } }],
  });
});
