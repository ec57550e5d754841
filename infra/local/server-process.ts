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

/* Servers that outlive the command that starts them. Linux only: what runs is recognised by /proc. */

export const folder = import.meta.dirname;
export const buildFolder = join(folder, '.build');

export interface Running {
  pid: number;
  /** When the kernel started it, in ticks since boot: another process with the same number has another. */
  startedAt: string;
  port: number;
}

const recordOf = (home: string, name: string) => join(home, `${name}.json`);
export const logOf = (home: string, name: string) => join(home, `${name}.log`);

/** The server of this name, if it is the one that was started with this home and still runs. */
export function running(home: string, name: string): Running | null {
  const path = recordOf(home, name);
  if (!existsSync(path)) return null;
  const record = JSON.parse(readFileSync(path, 'utf8')) as Running;
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

/** How a server is started. Its home holds its record, its log and its data. */
export interface Server {
  home: string;
  name: string;
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** The port, once its log says that it listens there. */
  readyAt: (log: string) => number | undefined;
  patienceMs: number;
}

/** Starts a server and resolves when it is ready. @throws when it ends before, or that takes too long */
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
  const deadline = Date.now() + server.patienceMs;
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

/** Ends the server if it still is the one that was started with this home. True where there was one. */
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

/** What the pattern's group finds in a log, as a port. */
export const portIn = (log: string, pattern: RegExp): number | undefined => {
  const [, port] = pattern.exec(log) ?? [];
  return port === undefined ? undefined : Number(port);
};
