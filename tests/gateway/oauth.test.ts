import { oauthApplicationEvents } from '@forgelog/contracts/admin/oauth-applications/oauth-application.events.ts';
import { oauthAuthorizationEvents } from '@forgelog/contracts/admin/oauth-authorizations/oauth-authorization.events.ts';
import { BEGINNING } from '@forgelog/eventing/event.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { newFolder, removeFolder } from '../support/repositories.ts';
import { tryGit } from '../support/stock-git.ts';

const PASSWORD = 'a password of ada for oauth';
const REDIRECT = 'https://dashboard.example/callback';
let forgelog: Forgelog;
let ada: TestUser;
let now = new Date('2026-03-01T12:00:00Z');

beforeAll(async () => {
  // A client's address is what it says: each test that guesses has its own.
  forgelog = await startForgelog({ clock: () => now, environment: { TRUSTED_PROXIES: 'loopback' } });
  ada = await createUser(forgelog, { username: 'ada', password: PASSWORD, force_random_password: false });
});
afterAll(() => forgelog.stop());

type Fields = Record<string, string>;

async function ask(path: string, fields: Fields, headers: Fields = {}) {
  const response = await fetch(`${forgelog.url}${path}`, {
    ...{ method: 'POST', body: new URLSearchParams(fields), headers },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

const token = (fields: Fields, headers: Fields = {}) => ask('/oauth/token', fields, headers);
const byPassword = (more: Fields = {}) =>
  token({ grant_type: 'password', username: 'ada', password: PASSWORD, ...more });
const me = (headers: Fields, query = '') => forgelog.get(`/user${query}`, { token: null, headers });
const bearer = (access: string) => ({ Authorization: `Bearer ${access}` });
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

async function info(access: string) {
  const response = await fetch(`${forgelog.url}/oauth/token/info`, { headers: bearer(access) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

interface Program {
  id: number;
  client: { client_id: string; client_secret: string };
}

async function register(more: Record<string, unknown> = {}): Promise<Program> {
  const asked = { name: 'Dashboard', redirect_uri: REDIRECT, scopes: 'read_user read_api', ...more };
  const { body } = await forgelog.post('/applications', asked);
  return { id: body.id, client: { client_id: body.application_id, client_secret: body.secret } };
}

describe('a password', () => {
  test('is exchanged for a token that opens the API in each place, and git', async () => {
    const { status, headers, body } = await byPassword();
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...{ access_token: expect.any(String), refresh_token: expect.any(String), scope: 'api' },
        ...{ token_type: 'Bearer', expires_in: 7200, created_at: Math.floor(now.getTime() / 1000) },
      },
    });
    expect(headers.get('cache-control')).toBe('no-store');
    const access = body.access_token;
    for (const [given, query] of [
      [bearer(access), ''],
      [{}, `?access_token=${access}`],
    ] as const)
      expect((await me(given, query)).body.username).toBe('ada');
    const { body: project } = await forgelog.post('/projects', { name: 'engine' }, { token: access });
    expect(project.creator_id).toBe(ada.id);
    await forgelog.post(
      `/projects/${project.id}/repository/files/a.txt`,
      { branch: 'main', content: 'a', commit_message: 'Add a' },
      { token: access },
    );
    const folder = newFolder();
    const address = `${forgelog.url.replace('://', `://oauth2:${access}@`)}/ada/engine.git`;
    const cloned = await tryGit(folder, 'clone', '--quiet', address, 'clone');
    expect(cloned).toMatchObject({ code: 0 });
    expect((await tryGit(`${folder}/clone`, 'log', '--format=%s')).stdout).toBe('Add a');
    removeFolder(folder);
    expect((await info(access)).body).toEqual({
      ...{ resource_owner_id: ada.id, scope: ['api'], scopes: ['api'], application: { uid: null } },
      ...{ expires_in: 7200, expires_in_seconds: 7200, created_at: body.created_at },
    });
  });

  test('is asked for as JSON too, and a token is none', async () => {
    const response = await fetch(`${forgelog.url}/oauth/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'password',
        username: 'ada',
        password: PASSWORD,
        scope: 'read_user',
      }),
    });
    expect(await response.json()).toMatchObject({ scope: 'read_user' });
    expect(await byPassword({ password: ada.token })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  test('that is wrong counts as a guess, as at every other door', async () => {
    const from = { 'X-Forwarded-For': '192.0.2.1' };
    const guess = (password: string, headers: Fields = from) =>
      token({ grant_type: 'password', username: 'ada', password }, headers);
    for (let at = 0; at < 10; at++) expect((await guess(`wrong ${at}`)).status).toBe(400);
    const refused = await guess(PASSWORD);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const atGit = await fetch(`${forgelog.url}/ada/none.git/info/refs?service=git-upload-pack`, {
      headers: { ...from, Authorization: basic('ada', PASSWORD) },
    });
    expect(atGit.status).toBe(429);
    expect((await guess(PASSWORD, { 'X-Forwarded-For': '192.0.2.2' })).status).toBe(200);
  });
});

describe('a token', () => {
  test('opens what its scopes say', async () => {
    const { body } = await byPassword({ scope: 'read_user' });
    expect((await me(bearer(body.access_token))).status).toBe(200);
    expect(
      await forgelog.get('/projects', { token: null, headers: bearer(body.access_token) }),
    ).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope' },
    });
  });

  test('is over after two hours, also where it was used just before', async () => {
    const { body } = await byPassword();
    const begin = now;
    now = new Date(begin.getTime() + 7_199_000);
    expect((await me(bearer(body.access_token))).status).toBe(200);
    expect((await info(body.access_token)).body).toMatchObject({ expires_in: 1 });
    now = new Date(begin.getTime() + 7_200_000);
    const over = await me(bearer(body.access_token));
    expect(over).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    expect(over.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(await info(body.access_token)).toMatchObject({ status: 401, body: { error: 'invalid_request' } });
    expect((await token({ grant_type: 'refresh_token', refresh_token: body.refresh_token })).status).toBe(
      200,
    );
    now = begin;
  });

  test('ends with its refresh, and a refresh token that comes twice ends all', async () => {
    const first = (await byPassword()).body;
    const refresh = (refresh_token: string) => token({ grant_type: 'refresh_token', refresh_token });
    const second = await refresh(first.refresh_token);
    expect(second).toMatchObject({ status: 200, body: { scope: 'api', expires_in: 7200 } });
    expect((await me(bearer(first.access_token))).status).toBe(401);
    expect((await me(bearer(second.body.access_token))).status).toBe(200);
    const refused = { status: 400, body: { error: 'invalid_grant' } };
    expect(await refresh(`${first.refresh_token}x`)).toMatchObject(refused);
    expect((await me(bearer(second.body.access_token))).status).toBe(200);
    expect(await refresh(first.refresh_token)).toMatchObject(refused);
    expect((await me(bearer(second.body.access_token))).status).toBe(401);
    expect(await refresh(second.body.refresh_token)).toMatchObject(refused);
  });

  test('is revoked by whoever has it, once and for all', async () => {
    const { body } = await byPassword();
    for (const given of [body.refresh_token, body.refresh_token, 'flort-none', 'float-none'])
      expect(await ask('/oauth/revoke', { token: given })).toMatchObject({ status: 200, body: {} });
    expect((await me(bearer(body.access_token))).status).toBe(401);
  });

  test('of a user who is blocked opens nothing, also when they are no longer', async () => {
    const bob = await createUser(forgelog, {
      username: 'bob',
      password: PASSWORD,
      force_random_password: false,
    });
    const { body } = await byPassword({ username: 'bob' });
    expect((await me(bearer(body.access_token))).body.username).toBe('bob');
    await forgelog.post(`/users/${bob.id}/block`);
    expect([401, 403]).toContain((await me(bearer(body.access_token))).status);
    expect((await info(body.access_token)).status).toBe(401);
    const refused = { status: 400, body: { error: 'invalid_grant' } };
    const refresh = () => token({ grant_type: 'refresh_token', refresh_token: body.refresh_token });
    expect(await byPassword({ username: 'bob' })).toMatchObject(refused);
    expect(await refresh()).toMatchObject(refused);
    await expect.poll(async () => (await me(bearer(body.access_token))).status).toBe(401);
    await forgelog.post(`/users/${bob.id}/unblock`);
    expect((await me(bearer(body.access_token))).status).toBe(401);
    expect(await refresh()).toMatchObject(refused);
  });
});

describe('an application', () => {
  test('shows its secret in the body or by HTTP Basic, and gets what it may ask for', async () => {
    const { id, client } = await register();
    const { client_id, client_secret } = client;
    const shown = await byPassword({ ...client, scope: 'read_user' });
    expect(shown).toMatchObject({ status: 200, body: { scope: 'read_user' } });
    const asked = { grant_type: 'password', username: 'ada', password: PASSWORD };
    const second = await token(asked, { Authorization: basic(client_id, client_secret) });
    expect(second).toMatchObject({ status: 200, body: { scope: 'read_user read_api' } });
    expect((await info(second.body.access_token)).body).toMatchObject({ application: { uid: client_id } });
    const refresh = { grant_type: 'refresh_token', refresh_token: second.body.refresh_token };
    const answers = [
      await byPassword({ ...client, scope: 'api' }),
      await byPassword({ client_id }),
      await byPassword({ client_id, client_secret: 'a guess' }),
      await byPassword({ client_id: 'nobody', client_secret }),
      await byPassword({ client_secret }),
      await token({ ...asked, ...client }, { Authorization: basic(client_id, client_secret) }),
      await token(refresh),
      await token({ ...refresh, ...client, scope: 'read_user sudo' }),
      await ask('/oauth/revoke', { token: second.body.access_token }),
    ];
    expect(answers.map(({ status, body }) => `${status} ${body.error}`)).toEqual([
      ...['400 invalid_scope', '401 invalid_client', '401 invalid_client', '401 invalid_client'],
      ...['401 invalid_client', '400 invalid_request', '400 invalid_grant', '400 invalid_scope'],
      '403 unauthorized_client',
    ]);
    expect((await me(bearer(second.body.access_token))).status).toBe(200);
    const told = await ask('/oauth/introspect', { ...client, token: second.body.access_token });
    expect(told.body).toMatchObject({ active: true, client_id, sub: String(ada.id), token_type: 'Bearer' });
    expect((await ask('/oauth/introspect', { ...client, token: ada.token })).body).toEqual({ active: false });
    expect((await ask('/oauth/introspect', { token: ada.token })).status).toBe(401);

    await forgelog.delete(`/applications/${id}`);
    expect((await me(bearer(second.body.access_token))).status).toBe(401);
    expect(await token({ ...refresh, ...client })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });

  test('is told in the words of OAuth what is wrong', async () => {
    const answers = [
      await token({}),
      await token({ grant_type: 'client_credentials' }),
      await token({ grant_type: 'toString' }),
      await token({ grant_type: 'password', username: 'ada' }),
      await byPassword({ scope: 'all' }),
      await token({ grant_type: 'refresh_token' }),
      await token({ grant_type: 'authorization_code', code: 'x', redirect_uri: REDIRECT }),
    ];
    expect(answers.map(({ status, body }) => `${status} ${body.error}`)).toEqual([
      ...['400 invalid_request', '400 unsupported_grant_type', '400 unsupported_grant_type'],
      ...['400 invalid_request', '400 invalid_scope', '400 invalid_request', '400 invalid_request'],
    ]);
    for (const body of ['{', '{"grant_type":1}']) {
      const headers = { 'Content-Type': 'application/json' };
      const response = await fetch(`${forgelog.url}/oauth/token`, { method: 'POST', body, headers });
      expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    }
    const wrong = await fetch(`${forgelog.url}/oauth/token`);
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });
});

test('grants and revocations are in the audit log, and no secret is in the log', async () => {
  const { client } = await register();
  const { body } = await byPassword(client);
  await ask('/oauth/revoke', { token: body.access_token, ...client });
  const { body: audit } = await forgelog.get('/audit_events?entity_type=User&per_page=100');
  const said = audit.map(({ details }: { details: { custom_message?: string } }) => JSON.stringify(details));
  expect(said.filter((text: string) => text.includes('OAuth access')).length).toBeGreaterThan(1);
  const types = new Set([...oauthApplicationEvents, ...oauthAuthorizationEvents].map(({ type }) => type));
  const { history } = forgelog.system.ports;
  const { events: logged } = await history.read({ after: BEGINNING, upTo: await history.head(), types });
  const events = JSON.stringify(logged);
  expect(events).toContain('OauthAuthorizationRevoked');
  for (const secret of [client.client_secret, body.access_token, body.refresh_token])
    expect(events).not.toContain(secret);
});
