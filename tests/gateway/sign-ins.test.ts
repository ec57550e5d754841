import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessEvents } from '../support/access-story.ts';
import { createToken, createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { startServerProcess } from '../support/server-process.ts';

const ROOT_PASSWORD = 'the password of root';
let forgelog: Forgelog;

beforeAll(async () => {
  // A client's address is what it says: each test has its own.
  forgelog = await startForgelog({ environment: { ROOT_PASSWORD, TRUSTED_PROXIES: 'loopback' } });
});
afterAll(() => forgelog.stop());

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** Asks as git does; the project is not there, which those who signed in are told by a 404. */
async function git(address: string, username: string, password: string) {
  const response = await fetch(`${forgelog.url}/root/none.git/info/refs?service=git-upload-pack`, {
    headers: { Authorization: basic(username, password), 'X-Forwarded-For': address },
  });
  return { status: response.status, wait: response.headers.get('retry-after'), text: await response.text() };
}

const api = (address: string, token: string) =>
  forgelog.get('/user', { token, headers: { 'X-Forwarded-For': address } });

test('after ten wrong passwords the right one is refused too, at that address and for that account', async () => {
  for (let i = 0; i < 10; i++) expect((await git('192.0.2.1', 'root', `wrong ${i}`)).status).toBe(401);
  const refused = await git('192.0.2.1', 'root', ROOT_PASSWORD);
  expect(refused).toMatchObject({ status: 429, text: expect.stringContaining('too many times') });
  expect(Number(refused.wait)).toBeGreaterThan(0);
  expect((await git('192.0.2.2', 'root', ROOT_PASSWORD)).status).toBe(404);
  expect((await git('192.0.2.1', 'root', forgelog.rootToken)).status).toBe(404);
});

test('names that nobody has are blocked like those of users', async () => {
  for (let i = 0; i < 10; i++) expect((await git('192.0.2.3', 'nobody', `wrong ${i}`)).status).toBe(401);
  expect((await git('192.0.2.3', 'nobody', 'wrong')).status).toBe(429);
});

test('many equal questions at once are one attempt', async () => {
  const asked = Array.from({ length: 30 }, () => git('192.0.2.4', 'root', ROOT_PASSWORD));
  for (const { status } of await Promise.all(asked)) expect(status).toBe(404);
});

test('after fifty wrong tokens an address is refused with those that are new there', async () => {
  const address = '192.0.2.5';
  const ada = await createUser(forgelog);
  expect((await api(address, ada.token)).status).toBe(200);
  const other = await createToken(forgelog, ada.id);
  for (let i = 0; i < 100; i++) expect((await api(address, 'the same expired token')).status).toBe(401);
  for (let i = 0; i < 49; i++) expect((await api(address, `guess ${i}`)).status).toBe(401);
  const refused = await api(address, 'one guess more');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await api(address, other)).status).toBe(429);
  expect((await api(address, ada.token)).status).toBe(200);
  expect((await api('192.0.2.6', other)).status).toBe(200);
});

test('guesses of deploy tokens are slowed down like those of other tokens', async () => {
  const address = '192.0.2.8';
  const { body: project } = await forgelog.post('/projects', { name: 'guessed' });
  const asked = { name: 'machine', scopes: ['read_repository'] };
  const { body: machine } = await forgelog.post(`/projects/${project.id}/deploy_tokens`, asked);
  const guess = (token: string) =>
    forgelog.get('/user', { token: null, headers: { 'Deploy-Token': token, 'X-Forwarded-For': address } });
  expect((await guess(machine.token)).status).toBe(403);
  for (let i = 0; i < 50; i++) expect((await guess(`fldt-guess-${i}`)).status).toBe(401);
  expect((await guess('fldt-one-more')).status).toBe(429);
  expect((await guess(machine.token)).status).toBe(403);
  const { body: other } = await forgelog.post(`/projects/${project.id}/deploy_tokens`, asked);
  expect((await git(address, other.username, other.token)).status).toBe(429);
  for (let i = 0; i < 10; i++)
    expect((await git('192.0.2.9', machine.username, `fldt-guess-${i}`)).status).toBe(401);
  expect((await git('192.0.2.9', machine.username, 'fldt-one-more')).status).toBe(429);
});

test('what is refused while an account is blocked is in the access log, and few events tell many attempts', async () => {
  const address = '192.0.2.7';
  for (let i = 0; i < 60; i++) await git(address, 'root', `wrong ${i}`);
  const events = await accessEvents(
    forgelog,
    ({ data, metadata }) =>
      metadata.clientAddress === address && (data as { reason: string }).reason === 'too_many',
  );
  const refused = events.filter(({ metadata }) => metadata.clientAddress === address);
  expect(refused.length).toBeLessThan(20);
  for (const { type, data } of refused)
    expect([type, (data as { userId: number }).userId]).toEqual(['CredentialRefused', 1]);
});

test('the log tells refused sign-ins and blocks, by the pattern that fail2ban is given', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'forgelog-sign-ins-'));
  const ROOT_TOKEN = 'token-of-root-that-is-not-blocked';
  const server = startServerProcess({ DATA_DIR: dataDir, ROOT_PASSWORD, ROOT_TOKEN, LOG_LEVEL: 'info' });
  const url = `${await server.ready}/root/none.git/info/refs?service=git-upload-pack`;
  const tried = ['root', 'a password typed as a name'];
  for (const name of tried)
    for (let i = 0; i < 10; i++)
      await fetch(url, {
        headers: {
          Authorization: basic(name, `wrong ${i}`),
          'User-Agent': 'x","client":"198.51.100.1","msg":"sign-in refused"}',
        },
      });
  await fetch(url, { headers: { Authorization: basic('ada', ROOT_PASSWORD), 'User-Agent': 'git/2.51' } });
  await fetch(url, { headers: { Authorization: basic('root', ROOT_TOKEN), 'User-Agent': 'git/2.52' } });
  await expect.poll(server.output).toContain('git/2.52');
  await server.stop();
  await rm(dataDir, { recursive: true });

  const manual = await readFile(resolve(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const pattern = new RegExp(/^failregex = (.+)$/m.exec(manual)![1]!.replace('<HOST>', '(?<host>[\\w.:]+)'));
  const lines = server.output().split('\n');
  const found = lines.flatMap((line) => pattern.exec(line)?.groups?.host ?? []);
  expect(found).toEqual(Array.from({ length: 21 }, () => '127.0.0.1'));
  expect(server.output()).not.toContain(tried[1]);
  const entries = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  expect(entries.filter(({ msg }) => msg === 'sign-ins blocked')).toMatchObject([
    { level: 40, user: 'root', client: '127.0.0.1', seconds: 60 },
    { level: 40, user: null, client: '127.0.0.1', seconds: 60 },
  ]);
  const [request] = entries.filter(({ agent }) => agent === 'git/2.51');
  expect(request).toMatchObject({ msg: 'request', status: 401, client: '127.0.0.1' });
  for (const bytes of [request.received, request.sent]) expect(bytes).toBeGreaterThan(100);
  const [signedIn] = entries.filter(({ agent }) => agent === 'git/2.52');
  expect(signedIn).toMatchObject({ msg: 'request', status: 404, user: 1 });
});
