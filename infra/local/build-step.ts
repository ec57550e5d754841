import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildFolder } from './server-process.ts';

/** A build's inputs could not be fetched from a registry. */
export class FetchError extends Error {}

export interface Command {
  command: string;
  args: readonly string[];
  cwd: string;
  env?: Readonly<Record<string, string>>;
}

const FETCH_WITHIN_MS = 4 * 60_000;
const BUILD_WITHIN_MS = 30 * 60_000;

/**
 * Runs a build whose result depends on these files alone, unless it is cached. Returns the folder of the result, which
 * git ignores.
 * @throws FetchError if its inputs cannot be fetched
 */
export async function buildOnce(step: {
  name: string;
  sources: readonly string[];
  /** Fetches inputs from registries into the folder of the result. */
  fetch: (output: string) => Command;
  /** Builds the result from them, if needed. */
  build?: (output: string) => Command;
  signal?: AbortSignal;
}): Promise<string> {
  const hash = createHash('sha256');
  for (const source of step.sources) hash.update(readFileSync(source));
  const output = join(buildFolder, `${step.name}-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(output)) return output;
  // Build beside it and rename when complete, so that an interrupted or concurrent build leaves no partial result.
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

/** Runs a command with its output on stderr. @throws if it fails, times out, or `signal` aborts */
function run({ command, args, cwd, env }: Command, withinMs: number, signal?: AbortSignal): Promise<void> {
  const limit = AbortSignal.timeout(withinMs);
  const end = signal ? AbortSignal.any([signal, limit]) : limit;
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, detached: true };
    const child = spawn(command, args, { ...options, stdio: ['ignore', 2, 2] });
    // Its own process group, so that its compilers are killed with it.
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
