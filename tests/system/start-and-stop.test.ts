import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';

let dataDir: string;
const running: ServerProcess[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'forgelog-start-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop('SIGKILL')));
  await rm(dataDir, { recursive: true, force: true });
});

function start(environment: Record<string, string> = {}, under: readonly string[] = []): ServerProcess {
  const server = startServerProcess({ DATA_DIR: dataDir, ...environment }, { under });
  running.push(server);
  return server;
}

const tokenIn = (output: string) => /shown only now\): (\S+)/.exec(output)?.[1];
const who = async (address: string, token: string) =>
  (await fetch(`${address}/api/v4/version`, { headers: { 'PRIVATE-TOKEN': token } })).status;

test('a token is shown once and accepted by later starts, after a kill and after a stop', async () => {
  const first = start();
  await first.ready;
  const token = tokenIn(first.output())!;
  expect(await first.stop('SIGKILL')).toBe('SIGKILL');

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const later = start();
    const address = (await later.ready)!;
    expect(tokenIn(later.output())).toBeUndefined();
    expect(await who(address, token)).toBe(200);
    expect(await who(address, `${token}x`)).toBe(401);
    expect(await later.stop(signal)).toBe(0);
  }
});

test('all invalid settings are reported before anything listens', async () => {
  const server = start({ PORT: '70000', EDITION: 'gold', ROOT_TOKEN: 'short', KAFKA_BROKERS: 'kafka' });
  expect(await server.ended).toBe(2);
  expect(server.output()).toMatch(/PORT: .+\n.+ROOT_TOKEN: .+\n.+EDITION: .+\n.+KAFKA_BROKERS: must be/);
  expect(server.output()).not.toContain('short');
});

test('a setting that one process does not support is refused', async () => {
  const server = start({ MONGODB_URL: 'mongodb://127.0.0.1' });
  expect(await server.ended).toBe(2);
  expect(server.output()).toContain('MONGODB_URL');
});

test('a missing or outdated git is reported', async () => {
  const without = start({ PATH: dataDir });
  expect(await without.ended).toBe(2);
  expect(without.output()).toMatch(/git 2\.38 or newer .+ENOENT/);
  await writeFile(join(dataDir, 'git'), '#!/bin/sh\necho git version 2.30.2\n', { mode: 0o755 });
  const old = start({ PATH: dataDir });
  expect(await old.ended).toBe(2);
  expect(old.output()).toMatch(/git 2\.38 or newer .+git version 2\.30\.2/);
});

test('a running server keeps its folder and port, outlives SIGHUP, and needs no brokers', async () => {
  const server = start({ KAFKA_BROKERS: '127.0.0.1:1', LOG_LEVEL: 'info' });
  const address = (await server.ready)!;
  const isReady = async () => expect((await fetch(`${address}/-/readiness`)).status).toBe(200);
  await isReady();
  await expect.poll(server.output).toContain('feed failed; tried again later');

  const inItsFolder = start();
  const atItsPort = start({ PORT: new URL(address).port, DATA_DIR: join(dataDir, 'other') });
  expect(await inItsFolder.ended).not.toBe(0);
  expect(inItsFolder.output()).toMatch(/already|in use|another process/i);
  expect(await atItsPort.ended).toBe(2);
  expect(atItsPort.output()).toContain(`:${new URL(address).port}`);

  // Without a terminal it ends nothing.
  server.child.kill('SIGHUP');
  await expect.poll(server.output).toContain('SIGHUP ignored');
  await isReady();
  expect(await server.stop()).toBe(0);
});

const modeOf = async (name: string) => ((await stat(join(dataDir, name))).mode & 0o7777).toString(8);
const shell = (umask: string) => ['sh', '-c', `umask ${umask}; exec "$@"`, 'sh'];

test('what the data folder holds is private, whatever the umask, and what was open before is closed', async () => {
  await writeFile(join(dataDir, 'secret-key'), '0'.repeat(64), { mode: 0o644 });
  await mkdir(join(dataDir, 'repositories'), { mode: 0o755 });
  const server = start({}, shell('000'));
  await server.ready;
  expect(await modeOf('repositories')).toBe('700');
  for (const name of await readdir(dataDir))
    if (name !== 'repositories' && name !== 'objects') expect(await modeOf(name), name).toBe('600');
  await server.stop();
});

test('a setgid data folder stays readable for its group, and for nobody else', async () => {
  await writeFile(join(dataDir, 'secret-key'), '0'.repeat(64));
  await chmod(join(dataDir, 'secret-key'), 0o644);
  await chmod(dataDir, 0o2750);
  const server = start({}, shell('022'));
  await server.ready;
  expect(await modeOf('secret-key')).toBe('640');
  expect(await modeOf('events.db')).toBe('640');
  expect(await modeOf('repositories')).toBe('2750');
  await server.stop();
});

test('a data folder that cannot be written is reported in a sentence', async () => {
  await writeFile(join(dataDir, 'file'), '');
  const below = start({ DATA_DIR: join(dataDir, 'file', 'data') });
  expect(await below.ended).toBe(2);
  expect(below.output()).toMatch(/^DATA_DIR: .+ a part of the path is not a folder \(ENOTDIR\)\. .+\n$/);
});

/** Mounts a file system without writing to the machine's own table of mounts. */
const mounted = (folder: string, options: string) => [
  ...['unshare', '-rm', 'sh', '-c'],
  `mount -t tmpfs -o ${options} tmpfs ${folder} && exec "$@"`,
  'sh',
];
const mayMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

test.skipIf(!mayMount)('a read-only data folder is reported in a sentence (needs to mount)', async () => {
  const server = start({}, mounted(dataDir, 'ro'));
  expect(await server.ended).toBe(2);
  expect(server.output()).toMatch(/^DATA_DIR: .+ the file system is read-only \(EROFS\)\. .+\n$/);
});

test.skipIf(!mayMount)('a start on a full disk says that it is full (needs to mount)', async () => {
  const [unshare, ...rest] = mounted(dataDir, 'size=1m');
  const full = rest.map((part) => part.replace('&& exec', `&& ! cat /dev/zero > ${dataDir}/ballast && exec`));
  const server = start({}, [unshare!, ...full]);
  expect([1, 2]).toContain(await server.ended);
  expect(server.output()).toMatch(/^(?:cat: .+\n)?DATA_DIR: .*the disk is full.+\n$/);
  expect(server.output()).not.toMatch(/already open/);
});

test.skipIf(!mayMount)(
  'a folder for temporary files that git cannot run its hooks from is refused (needs to mount)',
  async () => {
    const temporary = join(dataDir, 'temporary');
    await mkdir(temporary);
    const server = start({ TMPDIR: temporary }, mounted(temporary, 'noexec'));
    expect(await server.ended).toBe(2);
    expect(server.output()).toMatch(/^TMPDIR: .+ \(noexec\).+ every push would be refused\. .+\n$/);
  },
);
