import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type FSWatcher, mkdirSync, readdirSync, watch } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as askPlainly } from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as secureConnect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePorts } from '../../infra/local/free-ports.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { emptyFolder, git, tryGit } from '../support/stock-git.ts';

const infra = join(import.meta.dirname, '../../infra');
/** Of loopback, and neither the proxy's own nor one that is trusted. */
const CLIENT = '127.0.0.9';
const FORGED = '203.0.113.7';
const ROOT_TOKEN = 'token-of-root-behind-a-proxy';

interface Site {
  folder: string;
  httpPort: number;
  httpsPort: number;
  /** host:port of Forgelog. */
  upstream: string;
}

/** @throws Error when the text is not there once: then the test would replace nothing */
function put(config: string, from: string, to: string): string {
  if (!config.includes(from)) throw new Error(`the example no longer has ${from}`);
  return config.replaceAll(from, to);
}

/** The example as it is, on other ports, and with what Debian's nginx.conf has around it. */
async function nginx({ folder, httpPort, httpsPort, upstream }: Site): Promise<string[]> {
  const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '1', '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...made, ...subject], { stdio: 'ignore' });
  let config = await readFile(join(infra, 'nginx/forgelog.conf'), 'utf8');
  config = put(config, '127.0.0.1:8080', upstream);
  config = put(config, 'listen 80;', `listen 127.0.0.1:${httpPort};`);
  config = put(config, 'listen 443 ', `listen 127.0.0.1:${httpsPort} `);
  config = put(config, '/etc/letsencrypt/live/git.example.org', folder);
  config = put(config, '/var/log/nginx', folder);
  config = put(config, 'git.example.org', 'localhost');
  await writeFile(join(folder, 'forgelog.conf'), config);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(folder, 'temporary', name), { recursive: true });
    return `${name}_temp_path ${join(folder, 'temporary', name)};`;
  });
  const around = `daemon off; pid ${folder}/pid; error_log stderr; user root root;
    events { worker_connections 256; }
    http { ${temporary.join(' ')} access_log off; include ${folder}/forgelog.conf; }`;
  await writeFile(
    join(folder, 'nginx.conf'),
    process.getuid?.() === 0 ? around : put(around, 'user root root;', ''),
  );
  return ['-c', join(folder, 'nginx.conf'), '-p', folder];
}

/** The example with a certificate of Caddy's own authority, since nobody else gives one for localhost. */
async function caddy({ folder, httpPort, httpsPort, upstream }: Site): Promise<string[]> {
  let config = await readFile(join(infra, 'caddy/Caddyfile'), 'utf8');
  config = put(config, '127.0.0.1:8080', upstream);
  config = put(config, '\ngit.example.org {', '\nlocalhost {\n\tbind 127.0.0.1');
  const ports = `http_port ${httpPort}\n\thttps_port ${httpsPort}`;
  const options = `{\n\tadmin off\n\tskip_install_trust\n\t${ports}\n\tstorage file_system ${folder}/storage\n}\n`;
  await writeFile(join(folder, 'Caddyfile'), `${options}${config}`);
  return ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
}

/** 0 while nobody listens. */
function statusOf(path: string, port: number): Promise<number> {
  const trial = connect(`https://localhost:${port}`, { rejectUnauthorized: false });
  return new Promise<number>((done) => {
    trial.on('error', () => done(0));
    const stream = trial.request({ ':path': path });
    stream.on('error', () => done(0));
    stream.on('response', (headers) => done(headers[':status'] ?? 0));
  }).finally(() => trial.destroy());
}

const PROXIES = [
  { name: 'nginx', program: process.env.NGINX, configure: nginx, pushedMib: 200 },
  { name: 'Caddy', program: process.env.CADDY, configure: caddy, pushedMib: 20 },
];

describe.each(PROXIES)('behind $name, by its example in infra', ({ program, configure, pushedMib }) => {
  if (!program) return void test.skip('which npm run test:real brings', () => {});
  let forgelog: ServerProcess;
  let address: string;
  let site: Site;
  let stop: () => Promise<unknown>;
  let session: ClientHttp2Session;
  let watchers: FSWatcher[] = [];
  /** Files that the proxy made for bodies. */
  const collected: string[] = [];

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forgelog-proxy-'));
    const DATA_DIR = join(folder, 'data');
    forgelog = startServerProcess({ DATA_DIR, ROOT_TOKEN, TRUSTED_PROXIES: '127.0.0.1' });
    address = (await forgelog.ready)!;
    const [httpPort, httpsPort] = (await freePorts(2)) as [number, number];
    site = { folder, httpPort, httpsPort, upstream: new URL(address).host };
    mkdirSync(join(folder, 'temporary'));
    const args = await configure(site);
    // Recursive watching begins too late for files that are soon gone.
    watchers = readdirSync(join(folder, 'temporary')).map((name) =>
      watch(join(folder, 'temporary', name), () => collected.push(name)),
    );
    const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: join(folder, 'temporary') };
    const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        said += part;
      });
    const ended = once(child, 'close');
    stop = async () => {
      child.kill('SIGTERM');
      await ended;
      await forgelog.stop();
      await rm(folder, { recursive: true });
    };
    while (child.exitCode === null && (await statusOf('/-/liveness', site.httpsPort)) !== 200)
      await sleep(50);
    if (child.exitCode !== null) throw new Error(`the proxy ended:\n${said}`);
    session = connect(`https://localhost:${httpsPort}`, {
      createConnection: () =>
        secureConnect({
          ...{ host: '127.0.0.1', port: httpsPort, localAddress: CLIENT },
          ...{ servername: 'localhost', ALPNProtocols: ['h2'], rejectUnauthorized: false },
        }),
    });
    await once(session, 'connect');
  });
  afterAll(async () => {
    session?.destroy();
    for (const watcher of watchers) watcher.close();
    await stop?.();
  });

  async function ask(path: string, body?: object, more: Record<string, string> = {}) {
    const stream = session.request({
      ':path': path,
      ':method': body ? 'POST' : 'GET',
      'private-token': ROOT_TOKEN,
      'content-type': 'application/json',
      ...more,
    });
    stream.end(body && JSON.stringify(body));
    const [headers] = await once(stream, 'response');
    return { status: headers[':status'] as number, body: await text(stream) };
  }

  test('clients speak HTTP/2, and whoever comes over http is sent to https', async () => {
    expect((session.socket as TLSSocket).alpnProtocol).toBe('h2');
    expect((await ask('/api/v4/user')).status).toBe(200);
    const plain = askPlainly({
      host: '127.0.0.1',
      port: site.httpPort,
      path: '/x?y=1',
      headers: { host: 'localhost' },
    });
    const [answer] = await once(plain.end(), 'response');
    answer.resume();
    expect(answer.statusCode).toBe(308);
    expect(answer.headers.location).toMatch(/^https:\/\/localhost(:\d+)?\/x\?y=1$/);
    expect((await ask('/-/metrics')).status).toBe(404);
  });

  test('events and audit events have the address of the client, whatever it says of itself', async () => {
    const forged = { 'x-forwarded-for': FORGED };
    const made = await ask('/api/v4/projects', { name: 'behind' }, forged);
    expect(made.status).toBe(201);
    const shown = await ask('/api/v4/projects/root%2Fbehind/audit_events');
    expect(JSON.parse(shown.body)[0].details.ip_address).toBe(CLIENT);
  });

  test('the event stream arrives event by event', async () => {
    const stream = session.request({ ':path': '/api/v4/event_stream', 'private-token': ROOT_TOKEN });
    let arrived = '';
    stream.setEncoding('utf8').on('data', (part: string) => {
      arrived += part;
    });
    await expect.poll(() => arrived, { timeout: 60_000 }).toContain('event: caught_up');
    const made = await fetch(`${address}/api/v4/projects`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': ROOT_TOKEN, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'told' }),
    });
    expect(made.status).toBe(201);
    await expect.poll(() => arrived, { timeout: 60_000 }).toContain('"told"');
    expect(stream.closed).toBe(false);
    stream.close();
  });

  test(`a push of ${pushedMib} MiB and its clone pass through, and the proxy collects neither on disk`, {
    timeout: 600_000,
  }, async () => {
    const folder = await emptyFolder();
    await git(folder, 'init', '-q', '-b', 'main');
    // Random bytes do not get smaller.
    await git(folder, 'config', 'core.compression', '0');
    await writeFile(join(folder, 'large'), randomBytes(pushedMib * 1024 ** 2));
    await git(folder, 'add', '.');
    await git(folder, 'commit', '-q', '-m', 'Large');
    const remote = `https://root:${ROOT_TOKEN}@localhost:${site.httpsPort}/root/large.git`;
    const trusting = ['-c', 'http.sslVerify=false'];
    collected.length = 0;
    expect(await tryGit(folder, ...trusting, 'push', '-q', remote, 'main')).toMatchObject({ code: 0 });
    const clone = await emptyFolder();
    expect(await tryGit(clone, ...trusting, 'clone', '-q', remote, '.')).toMatchObject({ code: 0 });
    expect(await git(clone, 'rev-parse', 'HEAD:large')).toBe(await git(folder, 'rev-parse', 'HEAD:large'));
    expect([...new Set(collected)]).toEqual([]);
  });
});
