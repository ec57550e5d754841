import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Forgelog } from '../support/forgelog.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { commit, tryGit, workingCopy } from '../support/stock-git.ts';
import { type Answer, type Sent, send } from '../support/wire.ts';

/** Secrets that somebody gives the server, by where they are given. None may be anywhere but in its own hash. */
const planted: Record<string, string> = {};
/** Secrets that the server made, and gave out once. */
const made: Record<string, string> = {};

function plant(where: string): string {
  planted[where] ??= `canary-${createHash('sha256').update(where).digest('hex').slice(0, 24)}`;
  return planted[where];
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

let dataDir: string;
let server: ServerProcess;
let rootToken: string;
let target: Forgelog;
const refusals: string[] = [];

async function call(method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const answer = await send(target, method, path, { token: rootToken, ...sent });
  if (answer.status >= 400) refusals.push(answer.text);
  return answer;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
async function created(path: string, json: object): Promise<any> {
  const answer = await call('POST', `/api/v4${path}`, { json });
  expect(answer).toMatchObject({ status: 201 });
  return JSON.parse(answer.text);
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'forgelog-secrets-'));
  rootToken = plant('ROOT_TOKEN');
  server = startServerProcess({
    DATA_DIR: dataDir,
    ROOT_TOKEN: rootToken,
    ROOT_PASSWORD: plant('ROOT_PASSWORD'),
    SECRET_KEY: `${plant('SECRET_KEY')}-and-long-enough`,
    LOG_LEVEL: 'trace',
  });
  const url = await server.ready;
  if (!url) throw new Error(server.output());
  target = { url, rootToken } as Forgelog;
});
afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Everything that carries a secret, right and wrong, in every place where one can be given. */
async function useSecrets(): Promise<void> {
  const user = await created('/users', {
    email: 'canary@example.org',
    username: 'canary',
    name: 'C',
    password: plant('password of a new user'),
    skip_confirmation: true,
  });
  await call('PUT', `/api/v4/users/${user.id}`, { json: { password: plant('changed password') } });
  await call('POST', '/api/v4/users', {
    json: { email: 'x', username: 'y', name: 'z', password: plant('password of a refused user') },
  });
  await call('POST', '/api/v4/users', {
    json: {
      email: 'canary@example.org',
      username: 'canary',
      name: 'C',
      password: plant('password of a second user'),
    },
  });
  await call('PUT', '/api/v4/users/999999', { json: { password: plant('password of nobody') } });
  await call('POST', '/api/v4/users', {
    type: 'text/plain',
    body: `password=${plant('password in a wrong type')}`,
  });
  await call('POST', '/api/v4/users', {
    type: 'application/json',
    body: `{"password":"${plant('password in broken JSON')}"`,
  });
  const token = await created(`/users/${user.id}/personal_access_tokens`, {
    name: 't',
    scopes: ['api', 'sudo', 'write_repository'],
  });
  made.token = token.token;
  const revoked = await created(`/users/${user.id}/personal_access_tokens`, { name: 'r', scopes: ['api'] });
  made.revoked = revoked.token;
  await call('DELETE', `/api/v4/personal_access_tokens/${revoked.id}`);

  const own = { token: null };
  for (const [secret, sent, query] of [
    [plant('PRIVATE-TOKEN'), (value: string) => ({ 'PRIVATE-TOKEN': value }), null],
    [plant('Bearer'), (value: string) => ({ Authorization: `Bearer ${value}` }), null],
    [
      plant('Basic at the API'),
      (value: string) => ({ Authorization: `Basic ${btoa(`root:${value}`)}` }),
      null,
    ],
    [plant('JOB-TOKEN'), (value: string) => ({ 'JOB-TOKEN': value }), null],
    [plant('a cookie'), (value: string) => ({ Cookie: `_service_session=${value}` }), null],
    [plant('private_token'), null, 'private_token'],
    [plant('access_token'), null, 'access_token'],
    [plant('job_token'), null, 'job_token'],
    [made.token!, null, 'private_token'],
    [made.token!, null, 'access_token'],
    [made.revoked!, null, 'private_token'],
  ] as const) {
    const path = query === null ? '/api/v4/projects' : `/api/v4/projects?per_page=1&${query}=${secret}`;
    const answer = await call('GET', path, { ...own, headers: sent === null ? {} : sent(secret) });
    // Addresses of further pages are passed on and logged elsewhere.
    expect(JSON.stringify(answer.headers)).not.toContain(secret);
    await call('GET', path.replace('/projects', '/nowhere'), {
      ...own,
      headers: sent === null ? {} : sent(secret),
    });
    await call('POST', path.replace('/projects', '/user'), {
      ...own,
      headers: sent === null ? {} : sent(secret),
    });
  }
  const address = `http://u:${plant('password of an import')}@127.0.0.1:9/x.git`;
  await call('POST', '/api/v4/projects', { json: { path: 'imported', import_url: address } });

  // Over git: a right token, a right password, wrong ones, and one in the address itself.
  await created('/projects', { path: 'holds', visibility: 'private' });
  const folder = await workingCopy();
  const at = (name: string, secret: string) => target.url.replace('//', `//${name}:${secret}@`);
  expect((await tryGit(folder, 'push', `${at('canary', made.token!)}/root/holds.git`, 'main')).code).not.toBe(
    0,
  );
  expect((await tryGit(folder, 'push', `${at('root', rootToken)}/root/holds.git`, 'main')).code).toBe(0);
  await commit(folder, 'Second');
  const password = plant('ROOT_PASSWORD');
  expect((await tryGit(folder, 'push', `${at('root', password)}/root/holds.git`, 'main')).code).toBe(0);
  for (const secret of [plant('wrong password'), plant('changed password'), made.revoked!])
    await tryGit(folder, 'fetch', `${at('canary', secret)}/root/holds.git`);
  const options = ['-o', `ci.variable=${plant('push option')}`];
  await tryGit(
    folder,
    'push',
    ...options,
    `${at('root', rootToken)}/root/holds.git`,
    'main:refs/keep-around/x',
  );
}

/** Every process that descends from the server, by what its parent is. */
function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = /^PPid:\s+(\d+)$/m.exec(readQuietly(`/proc/${name}/status`))?.[1];
    if (parent) parents.set(Number(name), Number(parent));
  }
  const found: number[] = [];
  for (const [child] of parents) {
    for (let at: number | undefined = child; at !== undefined && at > 1; at = parents.get(at))
      if (parents.get(at) === pid) {
        found.push(child);
        break;
      }
  }
  return found;
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // gone meanwhile
  }
}

const everySecret = () => [...Object.entries(planted), ...Object.entries(made)];

function expectNone(what: string, text: string): void {
  const found = everySecret().filter(
    ([, secret]) => text.includes(secret) || text.includes(btoa(`root:${secret}`)),
  );
  expect(found.map(([where]) => `${where} in ${what}`)).toEqual([]);
}

/** A push that has begun and waits for the rest of its body: its git stays. */
function openPush(path: string, credentials: string): Promise<Socket> {
  const { hostname, port } = new URL(target.url);
  const head = [
    `POST ${path}/git-receive-pack HTTP/1.1`,
    'Host: forgelog',
    `Authorization: Basic ${btoa(credentials)}`,
    'Content-Type: application/x-git-receive-pack-request',
    'Transfer-Encoding: chunked',
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head.join('\r\n')}\r\n\r\n4\r\n0080\r\n`);
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

test.runIf(process.platform === 'linux')(
  'no child of the server is told a secret, by argument or environment',
  async () => {
    await created('/projects', { path: 'watched', initialize_with_readme: true });
    await call('GET', '/api/v4/projects/root%2Fwatched/repository/files/README.md?ref=HEAD');
    const pushes = await Promise.all([
      openPush('/root/watched.git', `root:${rootToken}`),
      openPush('/root/watched.git', `root:${plant('ROOT_PASSWORD')}`),
    ]);
    const children = () => descendants(server.child.pid!);
    const commands = () => children().map((pid) => readQuietly(`/proc/${pid}/cmdline`));
    await expect
      .poll(() => commands().filter((line) => line.includes('receive-pack')).length)
      .toBeGreaterThanOrEqual(2);
    for (const pid of children()) {
      expectNone(`arguments of ${pid}`, readQuietly(`/proc/${pid}/cmdline`));
      expectNone(
        `environment of ${pid} (${readQuietly(`/proc/${pid}/cmdline`)})`,
        readQuietly(`/proc/${pid}/environ`),
      );
    }
    for (const socket of pushes) socket.destroy();
  },
);

test('secrets that are used, rightly and wrongly, leave nothing but hashes', async () => {
  await useSecrets();
  for (const [at, text] of refusals.entries()) expectNone(`refusal ${at}: ${text.slice(0, 80)}`, text);
  const audit = await call('GET', '/api/v4/audit_events?per_page=100');
  expectNone('audit events', audit.text);
  for (const path of [
    '/user',
    '/users/2',
    '/personal_access_tokens',
    '/events',
    '/projects/root%2Fholds',
    '/projects/root%2Fimported',
  ])
    expectNone(path, (await call('GET', `/api/v4${path}`)).text);
  expect(await server.stop()).toBe(0);
  // At the finest level there are lines of every request.
  expect(server.output()).toContain('"/api/v4/projects"');
  expectNone('the output of the server', server.output());

  let whole = '';
  for (const name of readdirSync(dataDir, { recursive: true }) as string[]) {
    const path = join(dataDir, name);
    if (!statSync(path).isFile()) continue;
    const text = readFileSync(path, 'latin1');
    expectNone(name, text);
    whole += text;
  }
  // It is where it is looked for: what is stored of a token is its hash, of a password that of argon2.
  for (const secret of [rootToken, made.token!, made.revoked!]) expect(whole).toContain(sha256(secret));
  expect(whole).toContain('$argon2id$');
});
