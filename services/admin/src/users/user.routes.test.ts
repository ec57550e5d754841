import { getCurrentUser, getUser, listUsers } from '@forgelog/contracts/admin/users/user.api.ts';
import { USER_BLOCKED } from '@forgelog/contracts/admin/users/user.events.ts';
import { memberAdded, on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { customAttributeSlice } from '../custom-attributes/custom-attribute.slice.ts';
import { userSlice } from './user.slice.ts';

const ADMIN = 1;
const ADA = 2;
const BOB = 3;
/** User 2 with a profile and an identity. */
const ada = userCreated(ADA);
Object.assign(ada.event.data as object, {
  ...{ username: 'ada', name: 'Ada Lovelace', email: 'ada@example.org', profile: { bio: 'a <b>' } },
  identities: [{ provider: 'saml', extern_uid: 'cn=ada', saml_provider_id: 3 }],
});
const given = [userCreated(ADMIN, { admin: true }), ada, userCreated(BOB, { external: true })];
const blocked = (userId: number) =>
  on(`user-${userId}`, { type: 'UserBlocked', data: { userId, ...USER_BLOCKED } });
const ofUser = (userId: number, changes: object) =>
  on(`user-${userId}`, {
    type: 'UserUpdated',
    data: { userId, changes, previous: null, withheldChanges: [] },
  });

const PUBLIC = ['avatar_url', 'id', 'name', 'state', 'username', 'web_url'];
const SINGLE = [
  ...['bio', 'bio_html', 'bot', 'created_at', 'followers', 'following', 'job_title', 'linkedin', 'location'],
  ...['organization', 'public_email', 'skype', 'twitter', 'website_url'],
];

/** Lists users, as an administrator where nobody else is named. */
async function listing(more: Parameters<typeof startSlices>[1] = [], options = {}) {
  const { call } = await startSlices([userSlice, customAttributeSlice], [...given, ...more], options);
  return async (params: Record<string, unknown>, caller: number | null = ADMIN) =>
    (await call(listUsers, params, caller)).body.map(({ id }: { id: number }) => id);
}

test('a list shows everybody the public view, and administrators theirs', async () => {
  const { call, ports } = await startSlices([userSlice, customAttributeSlice], given);
  for (const caller of [null, ADA]) {
    const { status, body } = await call(listUsers, { username: 'ADA' }, caller);
    expect([status, body.length]).toEqual([200, 1]);
    expect(Object.keys(body[0]).sort()).toEqual(PUBLIC);
    expect(body[0]).toMatchObject({ id: ADA, state: 'active', web_url: `${ports.host}/ada` });
  }
  const { body } = await call(listUsers, { username: 'ada' }, ADMIN);
  expect(body).toMatchObject([
    {
      ...{ email: 'ada@example.org', is_admin: false, two_factor_enabled: false, projects_limit: 100_000 },
      ...{ last_sign_in_at: null, last_activity_on: null, using_license_seat: true },
      identities: [{ provider: 'saml', extern_uid: 'cn=ada', saml_provider_id: 3 }],
    },
  ]);
  for (const single of [
    'public_email',
    'commit_email',
    'plan',
    'trial',
    'sign_in_count',
    'custom_attributes',
  ])
    expect(body[0]).not.toHaveProperty(single);
  const asked = await call(listUsers, { username: 'ada', with_custom_attributes: true }, ADMIN);
  expect(asked.body).toMatchObject([{ custom_attributes: [] }]);
});

test('one user has the single view, and to administrators theirs', async () => {
  const { call } = await startSlices([userSlice, customAttributeSlice], given);
  for (const caller of [null, BOB]) {
    const { body } = await call(getUser, { id: ADA }, caller);
    expect(Object.keys(body).sort()).toEqual([...PUBLIC, ...SINGLE].sort());
    expect(body).toMatchObject({ bio: 'a <b>', bio_html: 'a &lt;b&gt;', bot: false, followers: 0 });
  }
  expect((await call(getUser, { id: ADA }, ADMIN)).body).toMatchObject({
    ...{ email: 'ada@example.org', sign_in_count: 0, plan: 'default', trial: false },
  });
  expect(await call(getUser, { id: 9 })).toMatchObject({
    status: 404,
    body: { message: '404 User Not Found' },
  });
  expect(await call(getUser, { id: 'x' })).toMatchObject({ status: 400, body: { error: 'id is invalid' } });
});

test('callers see their own account, and administrators theirs with more', async () => {
  const { call } = await startSlices([userSlice, customAttributeSlice], given);
  const own = (await call(getCurrentUser, {}, ADA)).body;
  expect(own).toMatchObject({ id: ADA, email: 'ada@example.org', can_create_group: true });
  expect(own).not.toHaveProperty('is_admin');
  expect((await call(getCurrentUser, {}, ADMIN)).body).toMatchObject({ id: ADMIN, is_admin: true });
  expect((await call(getCurrentUser, {})).status).toBe(401);
});

test('a private profile hides the time of creation from others', async () => {
  const { call } = await startSlices(
    [userSlice],
    [...given, ofUser(ADA, { profile: { private_profile: true } })],
  );
  const createdAt = async (endpoint: typeof getUser | typeof getCurrentUser, caller: number | null) =>
    (await call(endpoint, { id: ADA }, caller)).body.created_at;
  expect(await createdAt(getUser, BOB)).toBeNull();
  expect(await createdAt(getUser, ADMIN)).not.toBeNull();
  expect(await createdAt(getCurrentUser, ADA)).not.toBeNull();
});

test('a list is filtered by state, kind and identity, and false is no filter', async () => {
  const list = await listing([blocked(BOB)]);
  expect(await list({ blocked: true })).toEqual([BOB]);
  expect(await list({ active: true })).toEqual([ADA, ADMIN]);
  for (const no of ['active', 'blocked', 'external', 'exclude_external'])
    expect(await list({ [no]: false })).toEqual([BOB, ADA, ADMIN]);
  expect(await list({ external: true })).toEqual([BOB]);
  expect(await list({ exclude_external: true })).toEqual([ADA, ADMIN]);
  expect(await list({ exclude_internal: true })).toEqual([BOB, ADA, ADMIN]);
  expect(await list({ provider: 'saml', extern_uid: 'cn=ada' })).toEqual([ADA]);
  expect(await list({ provider: 'ldap', extern_uid: 'cn=ada' })).toEqual([]);
});

test('filters of administrators do nothing for others', async () => {
  const list = await listing();
  for (const [filter, found] of [
    [{ admins: true }, [ADMIN]],
    [{ two_factor: 'enabled' }, []],
    [{ two_factor: 'disabled' }, [BOB, ADA, ADMIN]],
    [{ 'custom_attributes[a]': 'b' }, []],
    [{ saml_provider_id: 3 }, [ADA]],
  ] as const) {
    expect(await list(filter)).toEqual(found);
    expect(await list(filter, ADA)).toEqual([BOB, ADA, ADMIN]);
  }
});

test('a search finds names and addresses, and only administrators find parts of addresses', async () => {
  const list = await listing();
  expect(await list({ search: 'lovelace' }, null)).toEqual([ADA]);
  expect(await list({ search: 'ada@exam' })).toEqual([ADA]);
  expect(await list({ search: 'ada@exam' }, BOB)).toEqual([]);
  expect(await list({ search: 'Ada@example.org' }, BOB)).toEqual([ADA]);
  expect(await list({ search: 'ada@example.org' }, null)).toEqual([]);
});

test('the newest user comes first, and administrators choose other orders', async () => {
  const list = await listing();
  expect(await list({ sort: 'asc', order_by: 'name' }, ADA)).toEqual([BOB, ADA, ADMIN]);
  expect(await list({ sort: 'asc' })).toEqual([ADMIN, ADA, BOB]);
  expect(await list({ sort: 'asc', order_by: 'name' })).toEqual([ADA, ADMIN, BOB]);
  expect(await list({ order_by: 'username' })).toEqual([BOB, ADMIN, ADA]);
});

test('a range of creation times includes both ends', async () => {
  const list = await listing([], { clock: () => new Date('2026-03-01T12:00:00Z') });
  const all = [BOB, ADA, ADMIN];
  expect(await list({ created_after: '2026-03-01T12:00:00Z' })).toEqual(all);
  expect(await list({ created_before: '2026-03-01T12:00:00Z' })).toEqual(all);
  expect(await list({ created_after: '2026-03-01T12:00:01Z' })).toEqual([]);
  expect(await list({ created_before: '2026-03-01T11:59:59Z' })).toEqual([]);
});

test('users without projects neither own one nor are members of one', async () => {
  const list = await listing([userCreated(4), projectCreated(7, { ownerId: ADA }), memberAdded(7, BOB, 10)]);
  expect(await list({ without_projects: true })).toEqual([4, ADMIN]);
  expect(await list({ without_projects: true }, ADA)).toEqual([4, BOB, ADA, ADMIN]);
});

test('a list comes in pages, and what is wrong with a filter is said', async () => {
  const { call } = await startSlices([userSlice, customAttributeSlice], given);
  const second = await call(listUsers, { per_page: 2, page: 2 }, ADMIN);
  expect(second).toMatchObject({ body: [{ id: ADMIN }], headers: { 'x-prev-page': '1', 'x-total': '3' } });
  expect(await call(listUsers, { order_by: 'size' }, ADMIN)).toMatchObject({
    status: 400,
    body: { error: 'order_by does not have a valid value' },
  });
  expect(await call(listUsers, { provider: 'x' }, ADMIN)).toMatchObject({
    status: 400,
    body: { error: 'extern_uid, provider provide all or none of parameters' },
  });
});
