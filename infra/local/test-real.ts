/**
 * `npm run test:real`: runs the adapters' contracts and the system tests on real servers, which it starts empty and
 * stops. Arguments go to vitest; files among them replace the selection.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FetchError } from './build-step.ts';
import { NO_SERVERS } from './exit-codes.ts';
import { buildGlab } from './glab.ts';
import { installModelina, installRenovate, installSemanticRelease } from './npm-program.ts';
import { prepareCaddy, prepareNginx, preparePromtool } from './operators-programs.ts';
import { runSelection } from './run-selection.ts';
import { installSchemathesis } from './schemathesis.ts';
import { up } from './servers.ts';
import { buildShellRunner } from './shell-runner.ts';
import { missingTools } from './toolchains.ts';

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopped.abort());

/** Programs that tests find by a setting, and skip themselves without. */
const OPTIONAL: Readonly<Record<string, (signal: AbortSignal) => Promise<string | null>>> = {
  SCHEMATHESIS: installSchemathesis,
  MODELINA: installModelina,
  SHELL_RUNNER: buildShellRunner,
  GLAB: buildGlab,
  SEMANTIC_RELEASE: installSemanticRelease,
  RENOVATE: installRenovate,
  PROMTOOL: preparePromtool,
  NGINX: prepareNginx,
  CADDY: prepareCaddy,
};

const IN_MEMORY = '/dev/shm';
/** Bytes. */
const ROOM = 6 * 1024 ** 3;

/** Memory where there is room: FerretDB waits for the disk at each write, and tests of deadlines fail on a slow one. */
async function parentFolder(): Promise<string> {
  const memory = await statfs(IN_MEMORY).catch(() => null);
  return memory && memory.bavail * memory.bsize >= ROOM ? IN_MEMORY : tmpdir();
}

async function main(): Promise<number> {
  const missing = missingTools();
  if (missing.length > 0) {
    process.stderr.write(`Needed here: ${missing.join('; ')}.\n`);
    return NO_SERVERS;
  }
  const home = await mkdtemp(join(await parentFolder(), 'forgelog-real-'));
  // Its own process, because this one may be killed.
  const keeper = spawn(process.execPath, [join(import.meta.dirname, 'keeper.ts'), home], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const kept = once(keeper, 'exit');
  try {
    const begin = performance.now();
    const { signal } = stopped;
    const [servers, ...programs] = await Promise.all([
      up(home, signal),
      ...Object.values(OPTIONAL).map((prepare) => prepare(signal)),
    ]);
    const found = Object.keys(OPTIONAL).flatMap((name, at) => (programs[at] ? [[name, programs[at]]] : []));
    const settings = { ...servers, ...Object.fromEntries(found) };
    process.stderr.write(`Servers are ready after ${((performance.now() - begin) / 1000).toFixed(1)} s\n`);
    stopped.signal.throwIfAborted();
    return await runSelection(settings, stopped.signal);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return error instanceof FetchError ? NO_SERVERS : 1;
  } finally {
    keeper.stdin.end();
    await kept;
  }
}

process.exitCode = await main();
