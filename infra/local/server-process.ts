import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/* Servers that outlive the command that starts them. Linux only: what runs is recognised by /proc. */

export const folder = import.meta.dirname;
export const stateFolder = join(folder, '.state');
export const buildFolder = join(folder, '.build');

export interface Running {
  pid: number;
  /** When the kernel started it, in ticks since boot: another process with the same number has another. */
  startedAt: string;
  port: number;
}

const recordOf = (name: string) => join(stateFolder, `${name}.json`);
export const logOf = (name: string) => join(stateFolder, `${name}.log`);

/** The server of this name, if it is the one that was started from here and still runs. */
export function running(name: string): Running | null {
  if (!existsSync(recordOf(name))) return null;
  const record = JSON.parse(readFileSync(recordOf(name), 'utf8')) as Running;
  return startOf(record.pid) === record.startedAt ? record : null;
}

/** null where there is no such process, or only what is left of one that ended. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; the state is the first field behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

/** Starts a server and resolves when `ready` says so. @throws when it ends before, or that takes too long */
export async function startServer(server: {
  name: string;
  port: number;
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  ready: (log: string) => boolean;
  patienceMs: number;
}): Promise<Running> {
  const { name, port } = server;
  mkdirSync(stateFolder, { recursive: true });
  const log = openSync(logOf(name), 'w');
  const child = spawn(server.command, server.args, {
    cwd: stateFolder,
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, ...server.env },
  });
  closeSync(log);
  const failure = new Promise<never>((_, reject) => child.on('error', reject));
  failure.catch(() => {});
  child.unref();
  if (child.pid === undefined) return failure;
  const record = { pid: child.pid, startedAt: startOf(child.pid) ?? '', port };
  writeFileSync(recordOf(name), JSON.stringify(record));
  const deadline = Date.now() + server.patienceMs;
  for (;;) {
    const text = readFileSync(logOf(name), 'utf8');
    if (server.ready(text)) return record;
    const ended = running(name) === null;
    if (ended || Date.now() > deadline) {
      if (!ended) await stopServer(name);
      throw new Error(`${name} ${ended ? 'ended' : 'is not ready in time'}:\n${text.slice(-2000)}`);
    }
    await sleep(100);
  }
}

const STOP_PATIENCE_MS = 20_000;

/** Ends the server if it still is the one that was started from here. True where there was one. */
export async function stopServer(name: string): Promise<boolean> {
  const server = running(name);
  if (server) {
    process.kill(server.pid, 'SIGTERM');
    const deadline = Date.now() + STOP_PATIENCE_MS;
    while (running(name) && Date.now() < deadline) await sleep(50);
    if (running(name)) process.kill(server.pid, 'SIGKILL');
  }
  rmSync(recordOf(name), { force: true });
  return server !== null;
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
