import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { portIn, running, startServer, stopServer } from './server-process.ts';

const name = 'sample';
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'forgelog-servers-'));
});
afterEach(async () => {
  await stopServer(home, name);
  rmSync(home, { recursive: true, force: true });
});

const start = (script: string, readyTimeoutMs = 20_000) =>
  startServer({
    home,
    name,
    command: process.execPath,
    args: ['-e', script],
    readyAt: (log) => portIn(log, /ready at (\d+)/),
    readyTimeoutMs,
  });

test('a server is started, found again and ended', async () => {
  const { pid } = await start('setInterval(() => {}, 1000); console.log("ready at 17")');
  expect(running(home, name)).toMatchObject({ pid, port: 17 });
  expect(running(tmpdir(), name)).toBeNull();
  expect(await stopServer(home, name)).toBe(true);
  expect(existsSync(`/proc/${pid}/exe`)).toBe(false);
  expect(running(home, name)).toBeNull();
  expect(await stopServer(home, name)).toBe(false);
});

test('a server that ends before it is ready reports why', async () => {
  await expect(start('console.error("no such disk"); process.exit(3)')).rejects.toThrow(
    /ended:\nno such disk/,
  );
});

test('a server that is never ready is stopped', async () => {
  await expect(start('setInterval(() => {}, 1000)', 300)).rejects.toThrow('not ready in time');
  expect(running(home, name)).toBeNull();
});

test('another process that reuses the id is left alone', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(other, 'spawn');
  writeFileSync(join(home, `${name}.json`), JSON.stringify({ pid: other.pid, startedAt: '1', port: 1 }));
  expect(running(home, name)).toBeNull();
  expect(await stopServer(home, name)).toBe(false);
  expect(other.kill(0)).toBe(true);
  other.kill('SIGKILL');
  await once(other, 'exit');
});

test('a killed starter leaves no server and no folder behind', async () => {
  // A pipe that this server holds reports its end.
  const listener = createServer();
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const { port } = listener.address() as { port: number };
  const connected = once(listener, 'connection');
  const server = `require('node:net').connect(${port}, '127.0.0.1'); console.log('ready at 1')`;
  // Like `npm run test:real`: starts a keeper, then a server, and is killed.
  const script = `
    import { spawn } from 'node:child_process';
    import { startServer } from ${JSON.stringify(join(import.meta.dirname, 'server-process.ts'))};
    const home = ${JSON.stringify(home)};
    const keeper = ${JSON.stringify(join(import.meta.dirname, 'keeper.ts'))};
    spawn(process.execPath, [keeper, home], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    const args = ['-e', ${JSON.stringify(server)}];
    const readyAt = (log) => (log.includes('ready') ? 1 : undefined);
    await startServer({ home, name: 'ferretdb', command: process.execPath, args, readyAt, readyTimeoutMs: 20_000 });
    process.kill(process.pid, 'SIGKILL');`;
  const starter = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  const [socket] = await connected;
  const gone = once(socket.on('error', () => {}).resume(), 'close');
  expect(await once(starter, 'exit')).toEqual([null, 'SIGKILL']);
  await gone;
  await expect.poll(() => existsSync(home)).toBe(false);
  listener.close();
});
