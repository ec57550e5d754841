/**
 * `npm run test:real`: the adapters' contracts and the whole system on real servers, which it starts for itself, with
 * empty data, and ends. Arguments go to vitest; files among them take the place of the selection.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FetchError } from './build-step.ts';
import { NO_SERVERS } from './exit-codes.ts';
import { LEFT_OUT, SELECTION } from './selection.ts';
import { type Settings, up } from './servers.ts';
import { missingTools } from './toolchains.ts';

const root = join(import.meta.dirname, '../..');
/** What a test may take here: FerretDB is slow, and machines are shared. A test with a limit of its own keeps that. */
const LIMITS = ['--testTimeout=180000', '--hookTimeout=180000'];
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopped.abort());

async function runTests(settings: Settings): Promise<number> {
  const given = process.argv.slice(2);
  const chosen = given.some((each) => !each.startsWith('-'))
    ? given
    : [...SELECTION, ...LEFT_OUT.map((path) => `--exclude=${path}`), ...given];
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...LIMITS, ...chosen], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...settings, TEST_STORES: 'eventstoredb', TEST_PROCESSES: 'split' },
    signal: stopped.signal,
  });
  // Also where it is ended from here, which is told as an error first.
  child.on('error', () => {});
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

async function main(): Promise<number> {
  const missing = missingTools();
  if (missing.length > 0) {
    process.stderr.write(`Needed here: ${missing.join('; ')}.\n`);
    return NO_SERVERS;
  }
  const home = await mkdtemp(join(tmpdir(), 'forgelog-real-'));
  // A process of its own, because this one may be killed.
  const keeper = spawn(process.execPath, [join(import.meta.dirname, 'keeper.ts'), home], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const kept = once(keeper, 'exit');
  try {
    const begin = performance.now();
    const settings = await up(home, stopped.signal);
    process.stderr.write(`Servers are ready after ${((performance.now() - begin) / 1000).toFixed(1)} s\n`);
    stopped.signal.throwIfAborted();
    return await runTests(settings);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return error instanceof FetchError ? NO_SERVERS : 1;
  } finally {
    keeper.stdin.end();
    await kept;
  }
}

process.exitCode = await main();
