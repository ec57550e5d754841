import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Usage } from './probe.ts';

/** A server in its own process, with the probe loaded. */
export interface MeasuredProcess {
  port: number;
  usage(): Promise<Usage>;
  /** Bytes that its objects hold, without garbage. */
  held(): Promise<number>;
  stop(): Promise<void>;
}

const probe = join(import.meta.dirname, 'probe.ts');
const READY_MS = 600_000;

/**
 * Starts a program that listens on PORT, with its output in a file.
 * @param ready the path that returns 200 once it serves; null: once it takes connections
 * @param profiled writes a V8 profile to BENCH_PROFILE, if set
 * @param port a free one if not given
 */
export async function startMeasured(
  program: string,
  options: {
    env?: Record<string, string>;
    output: string;
    ready: string | null;
    profiled?: boolean;
    port?: number;
  },
): Promise<MeasuredProcess> {
  const port = options.port ?? (await freePort());
  const output = openSync(options.output, 'a');
  const folder = options.profiled && process.env.BENCH_PROFILE;
  const profile = folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
  const child = spawn(process.execPath, [...profile, '--import', probe, program], {
    env: { PATH: process.env.PATH, PORT: String(port), ...options.env },
    stdio: ['ignore', output, output, 'ipc'],
  });
  closeSync(output);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ended with ${code}: see ${options.output}`);
  });
  failed.catch(() => {});
  await Promise.race([options.ready === null ? listens(port) : answers(port, options.ready), failed]);
  return {
    port,
    usage: () => ask<Usage>(child, 'usage'),
    held: () => ask<number>(child, 'held'),
    stop: () => stop(child),
  };
}

async function ask<T>(child: ChildProcess, question: string): Promise<T> {
  const answer = once(child, 'message');
  child.send(question);
  return (await answer)[0] as T;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves with the first connection. */
async function listens(port: number): Promise<void> {
  await until(() => connects(port), `nothing takes connections on port ${port}`);
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (connected: boolean) => {
      socket.destroy();
      resolve(connected);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
}

async function until(holds: () => Promise<boolean>, problem: string): Promise<void> {
  const begin = performance.now();
  while (!(await holds())) {
    if (performance.now() - begin > READY_MS) throw new Error(`${problem} within ${READY_MS} ms`);
    await sleep(3);
  }
}

/** Resolves with the first 200. */
export async function answers(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<void> {
  await until(async () => (await statusOf(port, path, headers)) === 200, `no 200 from ${path}`);
}

function statusOf(port: number, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const call = request({ port, path, host: '127.0.0.1', headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on('error', () => resolve(0));
    call.end();
  });
}
