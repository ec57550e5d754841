/**
 * `npm run test:containers`: runs the tests of `npm run test:real` on EventStoreDB, MongoDB and Kafka in containers.
 * The first run installs its packages. Arguments go to vitest.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_SERVERS } from '../local/exit-codes.ts';
import { runSelection } from '../local/run-selection.ts';

const here = import.meta.dirname;

/** Uses npm, because pnpm would take the folder for a part of the workspace. */
function install(): boolean {
  const lock = readFileSync(join(here, 'package-lock.json'), 'utf8');
  const stamp = join(here, 'node_modules/.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return true;
  process.stderr.write('Installing what starts containers (only the first time, and when it changed)…\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['ci', ...options], { cwd: here, stdio: ['ignore', 2, 2] });
  if (status === 0) writeFileSync(stamp, lock);
  return status === 0;
}

async function main(): Promise<number> {
  if (!install()) {
    process.stderr.write('Not run: its packages could not be installed (see above).\n');
    return NO_SERVERS;
  }
  const { missingEngine, startServers } = await import('./servers.ts');
  const missing = await missingEngine();
  if (missing !== undefined) {
    process.stderr.write(
      `Not run: no container engine is here (${missing}). Start Docker or Podman, or set DOCKER_HOST. npm run test:real needs none.\n`,
    );
    return NO_SERVERS;
  }
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopped.abort());
  const servers = await startServers();
  try {
    return stopped.signal.aborted ? 1 : await runSelection(servers.settings, stopped.signal);
  } finally {
    await servers.stop();
  }
}

process.exitCode = await main();
