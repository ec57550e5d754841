import { hash } from 'node:crypto';
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

describe('a code', () => {
  const verifier = 'v'.repeat(43);
  const challenge = hash('sha256', verifier, 'base64url');

  /** The page that a browser shows, its form and its cookie. */
  async function open(fields: Fields) {
    const response = await fetch(`${forgelog.url}/oauth/authorize?${new URLSearchParams(fields)}`, {
      redirect: 'manual',
    });
    const page = await response.text();
    const form = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
      ([, name, value]) => [name!, value!.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))],
    );
    const { status, headers } = response;
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    return { status, headers, page, form: Object.fromEntries(form) as Fields, cookie };
  }

  async function submit({ form, cookie }: { form: Fields; cookie: string }, more: Fields = {}) {
    const body = new URLSearchParams({ ...form, username: 'ada', password: PASSWORD, ...more });
    const response = await fetch(`${forgelog.url}/oauth/authorize`, {
      ...{ method: 'POST', body, redirect: 'manual', headers: { Cookie: cookie } },
    });
    const location = response.headers.get('location');
    return {
      status: response.status,
      page: await response.text(),
      to: location === null ? null : new URL(location),
    };
  }

  const asked = (program: Program, more: Fields = {}): Fields => ({
    ...{ client_id: program.client.client_id, redirect_uri: REDIRECT, response_type: 'code' },
    ...{ state: 'a "state" & <more>', scope: 'read_user', ...more },
  });
  const codeOf = async (program: Program, more: Fields = {}) =>
    (await submit(await open(asked(program, more)))).to!.searchParams.get('code')!;
  const redeem = (program: Program, code: string, more: Fields = {}) =>
    token({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT, ...program.client, ...more });

  test('goes to the program after consent, and is exchanged once', async () => {
    const program = await register();
    const shown = await open(asked(program));
    expect(shown.status).toBe(200);
    expect(shown.page).toContain('Let Dashboard act for you?');
    expect(shown.page).not.toContain('<script');
    const policy = shown.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self' https://dashboard.example;");
    expect(shown.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict/);
    const { status, to } = await submit(shown);
    expect(status).toBe(302);
    expect(`${to!.origin}${to!.pathname}`).toBe(REDIRECT);
    expect(to!.searchParams.get('state')).toBe('a "state" & <more>');
    const code = to!.searchParams.get('code')!;
    const tokens = await redeem(program, code);
    expect(tokens).toMatchObject({ status: 200, body: { scope: 'read_user', expires_in: 7200 } });
    expect((await me(bearer(tokens.body.access_token))).body.username).toBe('ada');
    const again = await redeem(program, code);
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await me(bearer(tokens.body.access_token))).status).toBe(401);
  });

  test('of a program without a secret is exchanged by who answers its challenge', async () => {
    const program = await register({
      confidential: false,
      redirect_uri: `${REDIRECT}\nmyapp://callback?x=1`,
    });
    const { client_id } = program.client;
    const app = { ...program, client: { client_id } as Program['client'] };
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
    const code = await codeOf(app, pkce);
    const answers = [
      await redeem(app, code),
      await redeem(app, code, { code_verifier: challenge }),
      await redeem(app, code, { code_verifier: verifier, redirect_uri: `${REDIRECT}/` }),
      await redeem(app, code, { code_verifier: verifier }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 200]);
    const native = { ...pkce, redirect_uri: 'myapp://callback?x=1' };
    const { to } = await submit(await open(asked(app, native)));
    expect(to!.href).toMatch(/^myapp:\/\/callback\?x=1&code=floac-[\w-]+&state=/);
    const without = await open(asked(app));
    expect(new URL(without.headers.get('location')!).searchParams.get('error')).toBe('invalid_request');
  });

  test('is over after ten minutes, and is not exchanged by another program', async () => {
    const [program, other] = [await register(), await register()];
    const begin = now;
    const code = await codeOf(program);
    expect((await redeem(other, code)).body).toMatchObject({ error: 'invalid_grant' });
    now = new Date(begin.getTime() + 600_000);
    expect((await redeem(program, code)).body).toMatchObject({ error: 'invalid_grant' });
    now = begin;
    expect((await redeem(program, code)).status).toBe(200);
  });

  test('is not given to an address that is not registered, whatever else is wrong', async () => {
    const program = await register();
    const wrong: Fields[] = [
      ...[{ redirect_uri: `${REDIRECT}/` }, { redirect_uri: 'https://evil.example/' }, { redirect_uri: '' }],
      ...[{ client_id: 'nobody' }, { client_id: '', response_type: 'x' }, { state: 's'.repeat(4097) }],
    ];
    for (const fields of wrong) {
      const shown = await open(asked(program, fields));
      expect([shown.status, shown.headers.get('location')]).toEqual([400, null]);
      expect(shown.headers.get('content-type')).toContain('text/html');
    }
    const told: [Fields, string][] = [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ scope: 'api' }, 'invalid_scope'],
      [{ code_challenge: challenge, code_challenge_method: 'none' }, 'invalid_request'],
      [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
    ];
    for (const [fields, error] of told) {
      const { status, headers } = await open(asked(program, fields));
      const to = new URL(headers.get('location')!);
      expect([status, to.origin, to.searchParams.get('error')]).toEqual([
        302,
        'https://dashboard.example',
        error,
      ]);
      expect(to.searchParams.get('state')).toBe('a "state" & <more>');
    }
  });

  test('is not given without the password, a form of this browser, or consent', async () => {
    const program = await register({ name: '<b>Dash & board</b>' });
    const shown = await open(asked(program));
    expect(shown.page).toContain('&#60;b&#62;Dash &#38; board&#60;/b&#62;');
    const wrong = await submit(shown, { password: 'a guess' });
    expect([wrong.status, wrong.to]).toEqual([422, null]);
    expect(wrong.page).toContain('The name or the password is wrong.');
    const other = await open(asked(program));
    for (const forged of [
      { ...shown, cookie: '' },
      { ...shown, cookie: other.cookie },
      { ...shown, form: { ...shown.form, form_token: '' } },
      { ...shown, form: { ...shown.form, scope: 'read_user read_api' } },
      { ...shown, form: { ...shown.form, state: 'another' } },
    ])
      expect(await submit(forged)).toMatchObject({ status: 403, to: null });
    const denied = await submit(shown, { _method: 'delete', username: '', password: '' });
    expect(denied.to!.searchParams.get('error')).toBe('access_denied');
    const begin = now;
    now = new Date(begin.getTime() + 1_800_000);
    expect((await submit(shown)).status).toBe(403);
    now = begin;
  });
});
