import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildFolder } from './server-process.ts';

/** What a build needs from elsewhere did not come: the registries cannot be reached, or do not have it. */
export class FetchError extends Error {}

export interface Command {
  command: string;
  args: readonly string[];
  cwd: string;
  env?: Readonly<Record<string, string>>;
}

const FETCH_WITHIN_MS = 4 * 60_000;
const BUILD_WITHIN_MS = 10 * 60_000;

/**
 * Runs a build whose result depends on these files alone, unless it is there from an earlier time. The result lies in
 * the folder that it answers, outside of git. @throws FetchError where what it needs cannot be fetched
 */
export async function buildOnce(step: {
  name: string;
  sources: readonly string[];
  /** Gets what lies in registries; the folder of the result is there for it. */
  fetch: (output: string) => Command;
  /** What is made of it on this machine, if anything. */
  build?: (output: string) => Command;
  signal?: AbortSignal;
}): Promise<string> {
  const hash = createHash('sha256');
  for (const source of step.sources) hash.update(readFileSync(source));
  const output = join(buildFolder, `${step.name}-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(output)) return output;
  // Made beside it and renamed when it is whole: a build that is cut off, or another at once, leaves no half of it.
  const draft = `${output}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  process.stderr.write(`Building ${step.name} (the first start only)…\n`);
  try {
    await run(step.fetch(draft), FETCH_WITHIN_MS, step.signal).catch((error: Error) => {
      step.signal?.throwIfAborted();
      throw new FetchError(`${step.name} could not be fetched: ${error.message}`);
    });
    if (step.build) await run(step.build(draft), BUILD_WITHIN_MS, step.signal);
    if (!existsSync(output)) renameSync(draft, output);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return output;
}

/** Its output goes to standard error. @throws where it fails, or takes too long, or `signal` aborts */
function run({ command, args, cwd, env }: Command, withinMs: number, signal?: AbortSignal): Promise<void> {
  const limit = AbortSignal.timeout(withinMs);
  const end = signal ? AbortSignal.any([signal, limit]) : limit;
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, detached: true };
    const child = spawn(command, args, { ...options, stdio: ['ignore', 2, 2] });
    // A group of its own: compilers that it has started end with it.
    const kill = () => process.kill(-child.pid!, 'SIGTERM');
    child.on('error', reject);
    child.on('spawn', () => (end.aborted ? kill() : end.addEventListener('abort', kill)));
    child.on('exit', (code, ended) => {
      end.removeEventListener('abort', kill);
      if (code === 0) resolve();
      else if (limit.aborted) reject(new Error(`${command} took longer than ${withinMs / 60_000} minutes`));
      else reject(new Error(`${command} ${args[0]} ended with ${ended ?? code}`));
    });
  });
}
