import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { logOf, running, startServer, stateFolder, stopServer } from './server-process.ts';

const name = `test-${process.pid}`;
const record = join(stateFolder, `${name}.json`);
const start = (script: string, patienceMs = 20_000) =>
  startServer({
    name,
    port: 1,
    command: process.execPath,
    args: ['-e', script],
    ready: (log) => log.includes('ready'),
    patienceMs,
  });

afterAll(async () => {
  await stopServer(name);
  rmSync(logOf(name), { force: true });
});

test('a server is started, found again and ended', async () => {
  const { pid } = await start('setInterval(() => {}, 1000); console.log("ready")');
  expect(running(name)).toMatchObject({ pid, port: 1 });
  expect(await stopServer(name)).toBe(true);
  expect(existsSync(`/proc/${pid}/exe`)).toBe(false);
  expect(running(name)).toBeNull();
  expect(await stopServer(name)).toBe(false);
});

test('one that ends before it is ready says why', async () => {
  await expect(start('console.error("no such disk"); process.exit(3)')).rejects.toThrow(
    /ended:\nno such disk/,
  );
});

test('one that is never ready is ended', async () => {
  await expect(start('setInterval(() => {}, 1000)', 300)).rejects.toThrow('not ready in time');
  expect(running(name)).toBeNull();
});

test('another process that has the number by now is left alone', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(other, 'spawn');
  writeFileSync(record, JSON.stringify({ pid: other.pid, startedAt: '1', port: 1 }));
  expect(running(name)).toBeNull();
  expect(await stopServer(name)).toBe(false);
  expect(other.kill(0)).toBe(true);
  other.kill('SIGKILL');
  await once(other, 'exit');
});
