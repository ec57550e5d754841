import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, forgelogForTest, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
let ada: TestUser;
beforeAll(async () => {
  forgelog = await startForgelog();
  ada = await createUser(forgelog, { username: 'ada', name: 'Ada Lovelace', bio: 'a <b>' });
});
afterAll(() => forgelog.stop());

const PUBLIC = ['avatar_url', 'id', 'name', 'state', 'username', 'web_url'];
const SINGLE = [
  ...['bio', 'bio_html', 'bot', 'created_at', 'followers', 'following', 'job_title', 'linkedin', 'location'],
  ...['organization', 'public_email', 'skype', 'twitter', 'website_url'],
];
const person = (username: string, more: object = {}) => ({
  username,
  name: username,
  email: `${username}@example.org`,
  password: 'long enough',
  ...more,
});
const sorted = (...names: readonly string[][]) => names.flat().sort();

describe('views', () => {
  test('lists show everybody the public view, administrators theirs', async () => {
    for (const token of [null, ada.token]) {
      const { body } = await forgelog.get('/users?username=ADA', { token });
      expect(body).toHaveLength(1);
      expect(Object.keys(body[0]).sort()).toEqual(PUBLIC);
      expect(body[0]).toMatchObject({ id: ada.id, state: 'active', web_url: `${forgelog.url}/ada` });
    }
    const { body } = await forgelog.get('/users?username=ada');
    expect(body[0]).toMatchObject({
      email: ada.email,
      is_admin: false,
      identities: [],
      two_factor_enabled: false,
      last_sign_in_at: null,
      last_activity_on: null,
      projects_limit: 100_000,
      using_license_seat: true,
    });
    for (const single of ['public_email', 'commit_email', 'plan', 'trial', 'sign_in_count'])
      expect(body[0]).not.toHaveProperty(single);
  });

  test('one user: the single view, to administrators theirs', async () => {
    for (const token of [null, ada.token]) {
      const { body } = await forgelog.get(`/users/${ada.id}`, { token });
      expect(Object.keys(body).sort()).toEqual(sorted(PUBLIC, SINGLE));
      expect(body).toMatchObject({ bio: 'a <b>', bio_html: 'a &lt;b&gt;', bot: false, followers: 0 });
    }
    const { body } = await forgelog.get(`/users/${ada.id}`);
    expect(body).toMatchObject({ email: ada.email, sign_in_count: 0, plan: 'default', trial: false });
  });

  test('GET /user: the own view, to administrators theirs, under sudo that of the other', async () => {
    const own = await forgelog.get('/user', { token: ada.token });
    expect(own.body).toMatchObject({ username: 'ada', email: ada.email, can_create_group: true });
    expect(own.body).not.toHaveProperty('is_admin');
    expect((await forgelog.get('/user')).body).toMatchObject({ id: 1, username: 'root', is_admin: true });
    for (const sudo of ['ADA', String(ada.id)]) {
      expect((await forgelog.get('/user', { headers: { Sudo: sudo } })).body).toEqual(own.body);
    }
    expect((await forgelog.get('/user', { token: null })).body).toEqual({ message: '401 Unauthorized' });
  });

  test('GET /user wants api, read_api or read_user', async () => {
    for (const [scope, status] of [
      ['read_user', 200],
      ['read_api', 200],
      ['read_repository', 403],
    ] as const) {
      const { token } = await createUser(forgelog, { scopes: [scope] });
      expect((await forgelog.get('/user', { token })).status).toBe(status);
    }
  });

  test('a private profile hides since when', async () => {
    const shy = await createUser(forgelog, { private_profile: true });
    expect((await forgelog.get(`/users/${shy.id}`, { token: null })).body.created_at).toBeNull();
    expect((await forgelog.get('/user', { token: shy.token })).body.created_at).not.toBeNull();
  });

  test('the free edition has neither the premium fields nor plan and trial', async () => {
    const free = await forgelogForTest({ environment: { EDITION: 'free' } });
    const { body } = await free.get('/users/1');
    for (const field of ['plan', 'trial', 'is_auditor', 'using_license_seat', 'shared_runners_minutes_limit'])
      expect(body).not.toHaveProperty(field);
  });

  test('who is not there is not found', async () => {
    expect(await forgelog.get('/users/4711')).toMatchObject({
      status: 404,
      body: { message: '404 User Not Found' },
    });
    expect((await forgelog.get('/users/x')).body).toEqual({ error: 'id is invalid' });
  });
});

describe('list', () => {
  const names = async (query: string, token?: string | null) =>
    (await forgelog.get(`/users?${query}`, { token })).body.map(
      ({ username }: { username: string }) => username,
    );

  test('is filtered', async () => {
    await createUser(forgelog, { username: 'blocked1' }).then(({ id }) =>
      forgelog.post(`/users/${id}/block`),
    );
    await createUser(forgelog, { username: 'ext1', external: true, provider: 'ldap', extern_uid: 'cn=e' });
    await createUser(forgelog, { username: 'boss1', admin: true });
    expect(await names('blocked=true')).toEqual(['blocked1']);
    expect(await names('active=true&search=blocked')).toEqual([]);
    expect(await names('active=false&username=blocked1')).toEqual(['blocked1']);
    expect(await names('external=true')).toEqual(['ext1']);
    expect(await names('exclude_external=true')).not.toContain('ext1');
    expect(await names('external=false')).toContain('ada');
    expect(await names('provider=ldap&extern_uid=cn%3De')).toEqual(['ext1']);
    expect(await names('provider=ldap&extern_uid=other')).toEqual([]);
    expect(await names('admins=true&sort=asc')).toEqual(['root', 'boss1']);
    expect(await names('two_factor=enabled')).toEqual([]);
    expect(await names('two_factor=disabled')).toContain('ada');
    expect(await names('saml_provider_id=3')).toEqual([]);
    expect(await names('custom_attributes[a]=b')).toEqual([]);
    expect(await names('custom_attributes[a]=b', ada.token)).toContain('ada');
    expect(await names('exclude_internal=true')).toContain('ada');
    expect(await names('created_after=2000-01-01&created_before=2001-01-01')).toEqual([]);
    expect((await forgelog.get('/users?provider=x')).body).toEqual({
      error: 'extern_uid, provider provide all or none of parameters',
    });
  });

  test('search finds name and address; the address by part for administrators alone', async () => {
    expect(await names('search=lovelace', null)).toEqual(['ada']);
    expect(await names('search=ada%40exam')).toEqual(['ada']);
    expect(await names('search=ada%40exam', ada.token)).toEqual([]);
    expect(await names('search=Ada%40example.org', ada.token)).toEqual(['ada']);
    expect(await names('search=ada%40example.org', null)).toEqual([]);
  });

  test('is ordered by id, the newest first; other orders are for administrators', async () => {
    const byId = await names('');
    expect(byId.at(-1)).toBe('root');
    expect(await names('sort=asc&order_by=username', ada.token)).toEqual(byId);
    expect(await names('sort=asc&order_by=username')).toEqual([...byId].sort());
    expect((await names('order_by=created_at&sort=asc'))[0]).toBe('root');
    expect((await forgelog.get('/users?order_by=size')).body).toEqual({
      error: 'order_by does not have a valid value',
    });
  });

  test('without_projects leaves who owns or shares none', async () => {
    const owner = await createUser(forgelog, { username: 'owner1' });
    const { namespaceId } = (await forgelog.system.ports.directory.user(owner.id))!;
    const project = { projectId: 70, namespaceId: namespaceId!, ownerId: owner.id, creatorId: owner.id };
    const names70 = { name: 'p', path: 'p', fullPath: 'owner1/p', description: null };
    await forgelog.system.ports.commands.append(
      'project-70',
      'no-stream',
      [
        {
          type: 'ProjectCreated',
          data: { ...project, ...names70, visibility: 'private', defaultBranch: null, settings: {} },
        },
      ],
      { ...(await anyMetadata()) },
    );
    const found = await names('without_projects=true&per_page=100');
    expect(found).toContain('ada');
    expect(found).not.toContain('owner1');
    expect(await names('without_projects=true&username=owner1', ada.token)).toEqual(['owner1']);
  });

  test('comes in pages', async () => {
    const { body, headers } = await forgelog.get('/users?per_page=2&page=2');
    expect(body).toHaveLength(2);
    expect(headers.get('x-prev-page')).toBe('1');
    expect((await forgelog.get('/users?page=400')).body).toEqual([]);
  });
});

async function anyMetadata() {
  const [event] = await forgelog.system.store.readAll({ after: '', limit: 1 });
  return event!.metadata;
}

describe('create', () => {
  test('is for administrators', async () => {
    const refused = await forgelog.post('/users', person('eve'), { token: ada.token });
    expect(refused).toMatchObject({ status: 403, body: { message: '403 Forbidden' } });
    expect((await forgelog.post('/users', person('eve'), { token: null })).status).toBe(401);
  });

  test('answers the administrator view with what was given', async () => {
    const given = { ...person('full1'), admin: true, bio: 'b', can_create_group: false, note: 'n' };
    const more = { projects_limit: 0, theme_id: 3, color_scheme_id: 2, location: 'x', organization: 'o' };
    const { status, body } = await forgelog.post('/users', {
      ...given,
      ...more,
      private_profile: null,
      shared_runners_minutes_limit: 0,
      skip_confirmation: true,
    });
    expect(status).toBe(201);
    const { password: _, admin: __, ...shown } = given;
    expect(body).toMatchObject({ ...shown, ...more, is_admin: true, private_profile: false });
    expect(body).toMatchObject({ can_create_project: false, shared_runners_minutes_limit: 0 });
    expect(body.confirmed_at).toBe(body.created_at);
    expect((await forgelog.get(`/users/${body.id}`)).body).toEqual(body);
  });

  test('wants email, name, username and a way to a password', async () => {
    expect((await forgelog.post('/users', { password: '12345678' })).body).toEqual({
      error: 'email is missing, name is missing, username is missing',
    });
    const { password: _, ...without } = person('eve');
    expect((await forgelog.post('/users', without)).body).toEqual({
      error:
        'password, reset_password, force_random_password are missing, at least one parameter must be provided',
    });
    expect((await forgelog.post('/users', { ...without, reset_password: false })).body).toEqual({
      message: { password: ["can't be blank"] },
    });
    for (const flags of [
      { reset_password: true },
      { force_random_password: true, reset_password: true },
      { force_random_password: true, password: 'short' },
    ]) {
      const name = `flags${Object.keys(flags).join('').length}`;
      expect((await forgelog.post('/users', { ...person(name), password: undefined, ...flags })).status).toBe(
        201,
      );
    }
  });

  test.each([
    [{ password: 'short' }, { password: ['is too short (minimum is 8 characters)'] }],
    [{ email: 'nonsense' }, { email: ['is invalid'] }],
    [{ name: ' ' }, { name: ["can't be blank"] }],
    [{ username: '' }, { username: ["can't be blank"] }],
    [{ username: 'api' }, { username: ['api is a reserved name'] }],
  ])('refuses %j', async (wrong, message) => {
    const head = await forgelog.system.store.head();
    expect(await forgelog.post('/users', person('eve', wrong))).toMatchObject({
      status: 400,
      body: { message },
    });
    expect(await forgelog.system.store.head()).toBe(head);
  });

  test.each(['javascript:alert(1)', '\u0001javascript:alert(1)', 'https://a:b@example.org/', 'nonsense'])(
    'refuses the website %j',
    async (website_url) => {
      const { id } = await createUser(forgelog, { website_url: 'https://example.org/~me' });
      const head = await forgelog.system.store.head();
      for (const refused of [
        await forgelog.post('/users', person('eve', { website_url })),
        await forgelog.put(`/users/${id}`, { website_url }),
      ])
        expect(refused).toMatchObject({
          status: 400,
          body: { error: expect.stringMatching(/^website_url (is blocked|must)/) },
        });
      expect(await forgelog.system.store.head()).toBe(head);
      expect((await forgelog.put(`/users/${id}`, { website_url: '' })).body.website_url).toBe('');
    },
  );

  test.each(['a/b', '-a', 'a.git', '.', 'x y', 'Users'])('refuses the username %s', async (username) => {
    const refused = await forgelog.post('/users', person('eve', { username }));
    expect(refused.status).toBe(400);
    expect(Object.keys(refused.body.message)).toEqual(['username']);
  });

  test('a name and an address have one owner, whatever the case', async () => {
    expect(await forgelog.post('/users', person('eve', { email: ada.email.toUpperCase() }))).toMatchObject({
      status: 409,
      body: { message: 'Email has already been taken' },
    });
    expect(await forgelog.post('/users', person('ADA', { email: 'other@example.org' }))).toMatchObject({
      status: 409,
      body: { message: 'Username has already been taken' },
    });
    // The address of the refused one is free again.
    expect((await forgelog.post('/users', person('eve2', { email: 'other@example.org' }))).status).toBe(201);
  });

  test('of many at the same time one gets the name', async () => {
    const attempts = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        forgelog.post('/users', person('racer', { email: `racer${at}@example.org` })),
      ),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    expect((await forgelog.get('/users?username=racer')).body).toHaveLength(1);
  });

  test('external users make no groups', async () => {
    const { body } = await forgelog.post('/users', person('ext2', { external: true }));
    expect(body).toMatchObject({ external: true, can_create_group: false, projects_limit: 0 });
  });

  test('an avatar is refused, not lost', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(person('pic'))) form.set(name, String(value));
    form.set('avatar', new Blob(['x'], { type: 'image/png' }), 'a.png');
    expect(await forgelog.call('POST', '/users', { body: form })).toMatchObject({
      status: 400,
      body: { message: { avatar: ['is not stored by this server'] } },
    });
  });

  test('no event holds the password', async () => {
    await forgelog.post('/users', person('secret1', { password: 'a very secret one' }));
    const log = JSON.stringify(await forgelog.system.store.readAll({ after: '', limit: 10_000 }));
    expect(log).not.toContain('a very secret one');
    expect(log).toContain('$argon2id$');
  });
});

describe('update', () => {
  test('changes what is given and nothing else', async () => {
    const user = await createUser(forgelog, { bio: 'old', location: 'here' });
    const { status, body } = await forgelog.put(`/users/${user.id}`, {
      name: 'New',
      bio: 'new',
      admin: true,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'New', bio: 'new', location: 'here', is_admin: true });
    // Rights change at once.
    expect((await forgelog.get('/user', { token: user.token })).body.is_admin).toBe(true);
    expect((await forgelog.put(`/users/${user.id}`, { name: 'x' }, { token: ada.token })).status).toBe(403);
    expect((await forgelog.put('/users/4711', { name: 'x' })).body).toEqual({
      message: '404 User Not Found',
    });
  });

  test('a new username moves the address and frees the old one', async () => {
    const user = await createUser(forgelog, { username: 'before1' });
    await forgelog.put(`/users/${user.id}`, { username: 'After1', email: 'after1@example.org' });
    expect((await forgelog.get('/user', { token: user.token })).body).toMatchObject({
      username: 'After1',
      web_url: `${forgelog.url}/After1`,
    });
    expect((await forgelog.put(`/users/${ada.id}`, { username: 'after1' })).body).toEqual({
      message: 'Username has already been taken',
    });
    expect((await forgelog.put(`/users/${ada.id}`, { email: 'AFTER1@example.org' })).body).toEqual({
      message: 'Email has already been taken',
    });
    expect((await forgelog.post('/users', person('before1'))).status).toBe(201);
    // Another case of one's own name is no other name.
    expect((await forgelog.put(`/users/${user.id}`, { username: 'after1' })).body.username).toBe('after1');
    expect((await forgelog.post('/users', person('AFTER1', { email: 'n@example.org' }))).status).toBe(409);
  });

  test('public_email is a verified address of his', async () => {
    const user = await createUser(forgelog);
    const unconfirmed = await createUser(forgelog, { skip_confirmation: false });
    const wrong = { status: 400, body: { message: { public_email: ['is not an email you own'] } } };
    expect(await forgelog.put(`/users/${user.id}`, { public_email: 'x@example.org' })).toMatchObject(wrong);
    expect(await forgelog.put(`/users/${unconfirmed.id}`, { public_email: unconfirmed.email })).toMatchObject(
      wrong,
    );
    const right = await forgelog.put(`/users/${user.id}`, { public_email: user.email });
    expect(right.body.public_email).toBe(user.email);
    // With the address goes its publication.
    const moved = await forgelog.put(`/users/${user.id}`, { email: 'moved@example.org' });
    expect(moved.body).toMatchObject({ email: 'moved@example.org', public_email: '', confirmed_at: null });
  });

  test('flags of creation are ignored, identities replaced by provider', async () => {
    const user = await createUser(forgelog, { provider: 'ldap', extern_uid: 'a' });
    const { body } = await forgelog.put(`/users/${user.id}`, {
      reset_password: true,
      force_random_password: true,
      provider: 'ldap',
      extern_uid: 'b',
    });
    expect(body.identities).toEqual([{ provider: 'ldap', extern_uid: 'b', saml_provider_id: null }]);
  });

  test('who becomes external loses the right to make groups, and gets it back', async () => {
    const { id } = await createUser(forgelog);
    expect((await forgelog.put(`/users/${id}`, { external: true })).body.can_create_group).toBe(false);
    expect((await forgelog.put(`/users/${id}`, { external: false })).body.can_create_group).toBe(true);
  });
});

describe('block and delete', () => {
  test('a blocked user is out until he is unblocked', async () => {
    const { id, token } = await createUser(forgelog);
    expect(await forgelog.post(`/users/${id}/block`)).toMatchObject({ status: 201, text: 'true' });
    expect((await forgelog.post(`/users/${id}/block`)).text).toBe('null');
    expect((await forgelog.get('/user', { token })).status).toBe(403);
    expect((await forgelog.get('/version-of-nothing', { token })).status).toBe(403);
    expect((await forgelog.get('/user', { headers: { Sudo: String(id) } })).status).toBe(403);
    expect((await forgelog.get(`/users/${id}`)).body.state).toBe('blocked');
    expect((await forgelog.post(`/users/${id}/unblock`)).text).toBe('true');
    expect((await forgelog.post(`/users/${id}/unblock`)).text).toBe('false');
    expect((await forgelog.get('/user', { token })).status).toBe(200);
  });

  test('blocking is for administrators, and not of oneself', async () => {
    expect((await forgelog.post(`/users/${ada.id}/block`, undefined, { token: ada.token })).status).toBe(403);
    expect((await forgelog.post('/users/1/block')).body).toEqual({
      message: '403 Forbidden - The API initiating user cannot be blocked by the API',
    });
    expect((await forgelog.post('/users/4711/block')).body).toEqual({ message: '404 User Not Found' });
  });

  test('a deleted user is gone, his tokens too, and his names are free', async () => {
    const user = await createUser(forgelog, { username: 'gone1' });
    expect((await forgelog.delete(`/users/${user.id}`, { token: ada.token })).status).toBe(403);
    expect(await forgelog.delete(`/users/${user.id}`)).toMatchObject({ status: 204, text: '' });
    expect((await forgelog.get(`/users/${user.id}`)).status).toBe(404);
    expect((await forgelog.delete(`/users/${user.id}`)).status).toBe(404);
    expect((await forgelog.get('/user', { token: user.token })).status).toBe(401);
    expect((await forgelog.get('/users?username=gone1')).body).toEqual([]);
    expect((await forgelog.get(`/personal_access_tokens?user_id=${user.id}`)).body).toEqual([]);
    expect((await forgelog.post('/users', person('gone1', { email: user.email }))).status).toBe(201);
  });
});
