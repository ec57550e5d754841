import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/* Servers that outlive the command that starts them. Linux only: running ones are recognised by /proc. */

export const folder = import.meta.dirname;
export const buildFolder = join(folder, '.build');

export interface Running {
  pid: number;
  /** Start time in ticks since boot, to tell it from a later process with the same id. */
  startedAt: string;
  port: number;
}

const recordOf = (home: string, name: string) => join(home, `${name}.json`);
export const logOf = (home: string, name: string) => join(home, `${name}.log`);

/** Returns the server of this name if the recorded process still runs. */
export function running(home: string, name: string): Running | null {
  const path = recordOf(home, name);
  if (!existsSync(path)) return null;
  const record = JSON.parse(readFileSync(path, 'utf8')) as Running;
  return startOf(record.pid) === record.startedAt ? record : null;
}

/** Start time of a process; null if it does not exist or is a zombie. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain anything; the state is the first field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

/** How to start a server. Its home holds its record, its log and its data. */
export interface Server {
  home: string;
  name: string;
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Returns the port once the log says that it listens. */
  readyAt: (log: string) => number | undefined;
  readyTimeoutMs: number;
}

/** Starts a server and waits until it is ready. @throws if it ends first, or is not ready in time */
export async function startServer(server: Server): Promise<Running> {
  const { home, name } = server;
  mkdirSync(home, { recursive: true });
  const log = openSync(logOf(home, name), 'w');
  const child = spawn(server.command, server.args, {
    cwd: home,
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, ...server.env },
  });
  closeSync(log);
  const failure = new Promise<never>((_, reject) => child.on('error', reject));
  failure.catch(() => {});
  child.unref();
  if (child.pid === undefined) return failure;
  const record: Running = { pid: child.pid, startedAt: startOf(child.pid) ?? '', port: 0 };
  const keep = () => {
    writeFileSync(`${recordOf(home, name)}.new`, JSON.stringify(record));
    renameSync(`${recordOf(home, name)}.new`, recordOf(home, name));
  };
  keep();
  const deadline = Date.now() + server.readyTimeoutMs;
  for (;;) {
    const ended = running(home, name) === null;
    const text = readFileSync(logOf(home, name), 'utf8');
    const port = server.readyAt(text);
    if (port !== undefined && !ended) {
      record.port = port;
      keep();
      return record;
    }
    if (ended || Date.now() > deadline) {
      if (!ended) await stopServer(home, name);
      throw new Error(`${name} ${ended ? 'ended' : 'is not ready in time'}:\n${text.slice(-2000)}`);
    }
    await sleep(100);
  }
}

const STOP_PATIENCE_MS = 20_000;

/** Stops the recorded server. Returns whether one ran. */
export async function stopServer(home: string, name: string): Promise<boolean> {
  const server = running(home, name);
  if (server) {
    process.kill(server.pid, 'SIGTERM');
    const deadline = Date.now() + STOP_PATIENCE_MS;
    while (running(home, name) && Date.now() < deadline) await sleep(50);
    if (running(home, name)) process.kill(server.pid, 'SIGKILL');
  }
  rmSync(recordOf(home, name), { force: true });
  return server !== null;
}

export const portIn = (log: string, pattern: RegExp): number | undefined => {
  const [, port] = pattern.exec(log) ?? [];
  return port === undefined ? undefined : Number(port);
};
