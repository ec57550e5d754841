import { recordTokenUses } from '@forgelog/contracts/admin/access-tokens/access-token.operations.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
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

const person = (username: string, more: object = {}) => ({
  username,
  name: username,
  email: `${username}@example.org`,
  password: 'long enough',
  ...more,
});

describe('views', () => {
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

  test('the free edition has neither the premium fields nor plan and trial', async () => {
    const free = await forgelogForTest({ environment: { EDITION: 'free' } });
    const { body } = await free.get('/users/1');
    for (const field of ['plan', 'trial', 'is_auditor', 'using_license_seat', 'shared_runners_minutes_limit'])
      expect(body).not.toHaveProperty(field);
  });
});

describe('create', () => {
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

  test('of many at the same time one gets the name', async () => {
    const attempts = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        forgelog.post('/users', person('racer', { email: `racer${at}@example.org` })),
      ),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    expect((await forgelog.get('/users?username=racer')).body).toHaveLength(1);
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

  test.each([
    ['ban', 'unban', 'banned'],
    ['deactivate', 'activate', 'deactivated'],
  ])('after %s a user is out until %s, and lists tell it', async (out, back, state) => {
    const { id, token, username } = await createUser(forgelog);
    expect(await forgelog.post(`/users/${id}/${out}`)).toMatchObject({ status: 201, text: 'true' });
    const refused = await forgelog.get('/user', { token });
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining(state)]);
    const git = await fetch(`${forgelog.url}/root/nothing.git/info/refs?service=git-upload-pack`, {
      headers: { Authorization: `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}` },
    });
    expect(git.status).toBe(403);
    const listed = (filter: string) => forgelog.get(`/users?username=${username}${filter}`);
    expect((await listed('')).body).toMatchObject([{ state }]);
    expect((await listed('&active=true')).body).toEqual([]);
    expect((await listed('&blocked=true')).body).toEqual([]);
    expect(await forgelog.post(`/users/${id}/${back}`)).toMatchObject({ status: 201, text: 'true' });
    expect((await forgelog.get('/user', { token })).body.state).toBe('active');
    expect((await listed('&active=true')).body).toHaveLength(1);
  });

  test('who used a token lately is not deactivated, and nobody shuts themselves out', async () => {
    const { id, token } = await createUser(forgelog);
    await forgelog.get('/user', { token });
    await forgelog.system.ports.operations.call(
      recordTokenUses,
      {
        uses: [
          {
            tokenId: (await forgelog.get(`/personal_access_tokens?user_id=${id}`)).body[0].id,
            usedAt: new Date().toISOString(),
          },
        ],
      },
      { principal: null, operationId: newEventId(), metadata: SYSTEM_METADATA },
    );
    const refused = await forgelog.post(`/users/${id}/deactivate`);
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('past 90 days')]);
    expect((await forgelog.post('/users/1/ban')).status).toBe(403);
    expect((await forgelog.post('/users/1/deactivate')).status).toBe(403);
    expect((await forgelog.post('/users/4711/ban')).body).toEqual({ message: '404 User Not Found' });
    expect((await forgelog.post(`/users/${id}/ban`, {}, { token })).status).toBe(403);
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
