import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withDeadline } from '@forgelog/eventing/deadline.ts';
import { childrenOf, isRunning, tracedBy } from '@forgelog/git/testing/processes.ts';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { createMixedLoad, type MixedLoad, ROOT_TOKEN } from './mixed-load.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { verify } from './verify.ts';

export interface FaultServer extends ServerProcess {
  address: string;
  /** Of the server itself, whatever runs before it. */
  pid: number;
  /** The server and everything below it, at once: what a container's end or an empty battery does. */
  killAll(): Promise<void>;
}

/** A data folder and the servers that live and die on it. */
export interface FaultWorld {
  dataDir: string;
  /** An empty folder outside of it. */
  folder: string;
  /** undefined where it ended before it was ready. */
  tryStart(options?: StartOptions): Promise<{ server: ServerProcess; up: FaultServer | undefined }>;
  start(options?: StartOptions): Promise<FaultServer>;
  /** Starts, gives the server to `look`, stops it well, and verifies the folder. Gives what is wrong. */
  inspect(look: (server: FaultServer) => Promise<string[]>): Promise<string[]>;
  /** A load, prepared on this server, else on one of its own. */
  load(server?: FaultServer): Promise<MixedLoad>;
}

export interface StartOptions {
  environment?: Record<string, string>;
  program?: string;
  under?: readonly string[];
}

/**
 * One for a test; its processes and files go with it.
 * @param like a data folder that it begins with a copy of
 */
export async function faultWorld(like?: string): Promise<FaultWorld> {
  const root = await mkdtemp(join(tmpdir(), 'forgelog-fault-'));
  const [dataDir, folder] = [join(root, 'data'), join(root, 'beside')];
  await mkdir(folder);
  if (like !== undefined) await cp(like, dataDir, { recursive: true });
  const servers: ServerProcess[] = [];
  onTestFinished(async () => {
    for (const server of servers) {
      for (const { pid } of childrenOf(server.child.pid!)) kill(pid);
      server.child.kill('SIGKILL');
      await server.ended;
    }
    await rm(root, { recursive: true, force: true });
  });

  async function tryStart({ environment, ...options }: StartOptions = {}) {
    const server = startServerProcess({ DATA_DIR: dataDir, ROOT_TOKEN, ...environment }, options);
    servers.push(server);
    const address = await server.ready;
    if (address === undefined) return { server, up: undefined };
    const pid = Number(readFileSync(join(dataDir, 'events.db.open'), 'utf8').split('\n')[0]);
    const killAll = async () => {
      const children = childrenOf(pid).map((child) => child.pid);
      // All at one moment, as a power cut: git cleans up when only its server is gone.
      for (const signal of ['SIGSTOP', 'SIGKILL'] as const)
        for (const one of [pid, ...children]) kill(one, signal);
      await endOf(server);
      await eventually('the children of the server end', () => children.filter(isRunning), {
        until: (left) => left.length === 0,
      });
    };
    return { server, up: { ...server, address, pid, killAll } };
  }

  async function start(options?: StartOptions): Promise<FaultServer> {
    const { server, up } = await tryStart(options);
    if (!up) throw new Error(`the server did not start: ${server.output()}`);
    return up;
  }

  return {
    dataDir,
    folder,
    tryStart,
    start,
    async inspect(look) {
      const server = await start();
      const wrong = await look(server);
      const code = await server.stop();
      if (code !== 0) wrong.push(`SIGTERM ended with ${code}: ${server.output()}`);
      return [...wrong, ...(await verify(dataDir)).problems];
    },
    async load(running) {
      if (running) return createMixedLoad(running.address, folder);
      const server = await start();
      const load = await createMixedLoad(server.address, folder);
      await server.stop();
      return load;
    },
  };
}

const END_MS = 120_000;
/** A tracer sometimes loses a thread that ends, and holds its process: without the tracer the process ends by itself. */
const TRACER_MS = 60_000;

/** How a killed server ended, with all that it had started. @throws Error with what has not ended */
export async function endOf({ child, ended }: ServerProcess): Promise<number | NodeJS.Signals> {
  const pid = child.pid!;
  const late = () => {
    const left = [...childrenOf(pid), ...tracedBy(pid)].map((one) => `${one.pid} ${one.command}`);
    const itself = isRunning(pid) ? 'runs' : 'has ended';
    return new Error(
      `the server's process ${itself} after ${END_MS} ms. Still running:\n${[...new Set(left)].join('\n')}`,
    );
  };
  const tracer = child.spawnfile === 'strace' ? setTimeout(() => kill(pid), TRACER_MS) : undefined;
  return withDeadline(ended, END_MS, late).finally(() => clearTimeout(tracer));
}

function kill(pid: number, signal: 'SIGSTOP' | 'SIGKILL' = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
