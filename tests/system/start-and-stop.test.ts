import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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

function start(environment: Record<string, string> = {}): ServerProcess {
  const server = startServerProcess({ DATA_DIR: dataDir, ...environment });
  running.push(server);
  return server;
}

const tokenIn = (output: string) => /shown only now\): (\S+)/.exec(output)?.[1];
const who = async (address: string, token: string) =>
  (await fetch(`${address}/api/v4/version`, { headers: { 'PRIVATE-TOKEN': token } })).status;

test('the first start creates a token and shows it once, and a later start accepts it', async () => {
  const first = start();
  const address = await first.ready;
  const token = tokenIn(first.output())!;
  expect(await who(address!, token)).toBe(200);
  expect(await first.stop()).toBe(0);

  const second = start();
  const again = await second.ready;
  expect(tokenIn(second.output())).toBeUndefined();
  expect(await who(again!, token)).toBe(200);
  expect(await who(again!, `${token}x`)).toBe(401);
  expect(await second.stop('SIGINT')).toBe(0);
});

test('after a kill everything acknowledged is there', async () => {
  const first = start();
  await first.ready;
  const token = tokenIn(first.output())!;
  expect(await first.stop('SIGKILL')).toBe('SIGKILL');
  const second = start();
  expect(await who((await second.ready)!, token)).toBe(200);
  expect(await second.stop()).toBe(0);
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

test('unreachable brokers affect neither start nor stop, and are logged', async () => {
  const server = start({ KAFKA_BROKERS: '127.0.0.1:1' });
  const address = await server.ready;
  expect((await fetch(`${address}/-/readiness`)).status).toBe(200);
  await expect.poll(server.output).toContain('feed failed; tried again later');
  expect(await server.stop()).toBe(0);
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

test('a data folder is used by one process at a time', async () => {
  const first = start();
  await first.ready;
  const second = start();
  expect(await second.ended).not.toBe(0);
  expect(second.output()).toMatch(/already|in use|another process/i);
  expect(await first.stop()).toBe(0);
});

test('a port in use is reported', async () => {
  const first = start();
  const { port } = new URL((await first.ready)!);
  const second = start({ PORT: port, DATA_DIR: join(dataDir, 'other') });
  expect(await second.ended).toBe(2);
  expect(second.output()).toContain(`:${port}`);
});
