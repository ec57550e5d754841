import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken, createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
let alice: TestUser;
let now = new Date('2026-03-01T12:00:00Z');

beforeAll(async () => {
  forgelog = await startForgelog({ clock: () => now });
  alice = await createUser(forgelog, { username: 'alice' });
});
afterAll(() => forgelog.stop());

const me = (headers: Record<string, string>, query = '') =>
  forgelog.get(`/user${query}`, { token: null, headers });

describe('a personal access token', () => {
  test.each<[string, (token: string) => [Record<string, string>, string]]>([
    ['as PRIVATE-TOKEN', (token) => [{ 'PRIVATE-TOKEN': token }, '']],
    ['as private_token', (token) => [{}, `?private_token=${token}`]],
    ['as Bearer', (token) => [{ Authorization: `Bearer ${token}` }, '']],
    ['as access_token', (token) => [{}, `?access_token=${token}`]],
  ])('%s', async (_place, place) => {
    expect((await me(...place(alice.token))).body.username).toBe('alice');
    expect(await me(...place(`${alice.token}x`))).toMatchObject({
      status: 401,
      body: { message: '401 Unauthorized' },
    });
  });

  test('that is wrong is refused even where none is needed', async () => {
    expect((await forgelog.get('/openapi.json', { token: null })).status).toBe(200);
    expect((await forgelog.get('/openapi.json', { token: 'nonsense' })).status).toBe(401);
  });

  test('that is required and missing is a 401', async () => {
    expect((await me({})).body).toEqual({ message: '401 Unauthorized' });
  });

  test('works until the day it expires', async () => {
    const token = await createToken(forgelog, alice.id, ['api'], '2026-03-03');
    now = new Date('2026-03-02T23:59:59Z');
    expect((await forgelog.get('/user', { token })).status).toBe(200);
    now = new Date('2026-03-03T00:00:00Z');
    expect((await forgelog.get('/user', { token })).status).toBe(401);
  });

  test('no longer works once it is revoked', async () => {
    const token = await createToken(forgelog, alice.id);
    const tokens = await forgelog.get('/personal_access_tokens', { token });
    const own = tokens.body.findLast(({ revoked }: { revoked: boolean }) => !revoked);
    const newest = tokens.body.reduce((a: { id: number }, b: { id: number }) => (a.id > b.id ? a : b), own);
    expect((await forgelog.delete(`/personal_access_tokens/${newest.id}`, { token })).status).toBe(204);
    expect((await forgelog.get('/user', { token })).status).toBe(401);
  });

  test('is refused while its user is blocked', async () => {
    const bob = await createUser(forgelog);
    await forgelog.post(`/users/${bob.id}/block`);
    expect((await forgelog.get('/user', { token: bob.token })).status).toBe(403);
    await forgelog.post(`/users/${bob.id}/unblock`);
    expect((await forgelog.get('/user', { token: bob.token })).status).toBe(200);
  });

  test('is removed with its user', async () => {
    const bob = await createUser(forgelog);
    await forgelog.delete(`/users/${bob.id}`);
    expect((await forgelog.get('/user', { token: bob.token })).status).toBe(401);
  });
});

describe('scopes', () => {
  test.each([
    ['read_user', 'GET', '/user', 200],
    ['read_api', 'GET', '/user', 200],
    ['read_repository', 'GET', '/user', 403],
    ['read_user', 'GET', '/projects', 403],
    ['read_api', 'GET', '/projects', 200],
    ['read_api', 'POST', '/projects', 403],
    ['read_user', 'POST', '/projects', 403],
    ['write_repository', 'GET', '/projects', 403],
  ])('%s: %s %s is %i', async (scope, method, path, status) => {
    const token = await createToken(forgelog, alice.id, [scope]);
    const reply = await forgelog.call(method, path, { token });
    expect(reply.status).toBe(status);
    if (status !== 403) return;
    expect(reply.body).toMatchObject({ error: 'insufficient_scope', error_description: expect.any(String) });
    expect(reply.body.scope.split(' ')).toContain('api');
  });
});

describe('sudo', () => {
  const as = (user: string, token = forgelog.rootToken) =>
    forgelog.get('/user', { token, headers: { Sudo: user } });

  test('acts as another user, by id or case-insensitive name, as header or parameter', async () => {
    expect((await as(String(alice.id))).body.username).toBe('alice');
    expect((await as('ALICE')).body.username).toBe('alice');
    expect((await forgelog.get('/user?sudo=alice')).body.username).toBe('alice');
  });

  test('has only the rights of that user', async () => {
    expect((await forgelog.get('/audit_events', { headers: { Sudo: 'alice' } })).status).toBe(403);
  });

  test('is refused to others, without the scope, and for a missing user', async () => {
    expect(await as('root', alice.token)).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden - Must be admin to use sudo' },
    });
    const token = await createToken(forgelog, 1, ['api']);
    expect(await as('alice', token)).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope', scope: 'sudo' },
    });
    expect(await as('nobody')).toMatchObject({
      status: 404,
      body: { message: "404 User with ID or username 'nobody' Not Found" },
    });
    expect((await forgelog.get('/user', { token: null, headers: { Sudo: 'alice' } })).status).toBe(401);
  });

  const twice = (name: string, value: string) => [name, value, name, value];
  test.each<[string, string[], string]>([
    ['sudo[]=alice', [], ''],
    ['sudo%5B%5D=alice', [], ''],
    ['sudo[x]=alice', [], ''],
    ['sudo=alice&sudo=alice', [], ''],
    ['sudo=alice&sudo[]=alice', [], ''],
    ['sudo=', [], ''],
    ['sudo', [], ''],
    ['sudo=+', [], ''],
    ['', ['Sudo', ''], ''],
    ['', twice('Sudo', 'alice'), ''],
    ['sudo=root', ['Sudo', 'alice'], ''],
    ['', [], '&sudo=alice'],
    ['sudo=alice', [], '&sudo=root'],
    ['', [], '&sudo[]=alice'],
    ['private_token[]=x', [], ''],
    ['private_token[a]=x', [], ''],
    ['access_token[]=x', [], ''],
    ['job_token[]=x', [], ''],
    ['private_token=x&private_token=x', [], ''],
  ])('misspelt is refused and nothing happens: ?%s %j %s', async (query, headers, body) => {
    // Later come what follows from earlier changes, that the administrator's token was used, and what the clock ends.
    const happened = async () =>
      (await forgelog.system.store.readAll({ after: '', limit: 10_000 })).filter(
        ({ metadata }) => metadata.requestId !== null && metadata.causationId === null,
      ).length;
    const before = await happened();
    const { hostname, port } = new URL(forgelog.url);
    const answered = await new Promise<string>((resolve, reject) => {
      const type = ['Content-Type', 'application/x-www-form-urlencoded'];
      const all = ['Host', hostname, 'PRIVATE-TOKEN', forgelog.rootToken, ...type, ...headers];
      const path = `/api/v4/projects?${query}`;
      request({ hostname, port, path, method: 'POST', headers: all }, async (response) => {
        resolve(`${response.statusCode} ${await text(response)}`);
      })
        .on('error', reject)
        .end(`name=not-made${body}`);
    });
    expect(answered).toMatch(/^400 \{"error":"(sudo|private_token|access_token|job_token) (is|belongs) /);
    expect(await happened()).toBe(before);
  });

  test("is recorded in the log with the administrator's id", async () => {
    await forgelog.post('/projects', { name: 'through-sudo' }, { headers: { Sudo: 'alice' } });
    const events = await forgelog.system.store.readAll({ after: '', limit: 10_000 });
    const created = events.findLast(({ type }) => type === 'ProjectCreated')!;
    expect(created.metadata).toMatchObject({
      actorId: alice.id,
      onBehalfBy: 1,
      credential: { kind: 'personal_access_token' },
      clientAddress: expect.stringMatching(/127\.0\.0\.1|::1/),
      requestId: expect.any(String),
    });
  });
});
