import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Usage } from './probe.ts';

/** A server in its own process, with the probe loaded. */
export interface MeasuredProcess {
  port: number;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

const probe = join(import.meta.dirname, 'probe.ts');
const READY_MS = 600_000;

/**
 * Starts a program that listens on PORT, with its output in a file.
 * @param ready the path that returns 200 once it serves
 * @param profiled writes a V8 profile to BENCH_PROFILE, if set
 */
export async function startMeasured(
  program: string,
  options: { env?: Record<string, string>; output: string; ready: string; profiled?: boolean },
): Promise<MeasuredProcess> {
  const port = await freePort();
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
  await Promise.race([answers(port, options.ready), failed]);
  return { port, usage: () => ask(child), stop: () => stop(child) };
}

async function ask(child: ChildProcess): Promise<Usage> {
  const answer = once(child, 'message');
  child.send('usage');
  return (await answer)[0] as Usage;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves with the first 200. */
export async function answers(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const begin = performance.now();
  while ((await statusOf(port, path, headers)) !== 200) {
    if (performance.now() - begin > READY_MS) throw new Error(`no 200 from ${path} within ${READY_MS} ms`);
    await sleep(3);
  }
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
