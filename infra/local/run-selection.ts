import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { LEFT_OUT, SELECTION } from './selection.ts';

const root = join(import.meta.dirname, '../..');
/** What a test may take here: servers may be slow, and machines are shared. A test with a limit of its own keeps that. */
const LIMITS = ['--testTimeout=180000', '--hookTimeout=180000'];

/**
 * The adapters' contracts and the whole system, on the servers that these settings lead to. This process's arguments go to
 * vitest; files among them take the place of the selection. Resolves with vitest's exit code.
 */
export async function runSelection(
  settings: Readonly<Record<string, string>>,
  stopped: AbortSignal,
): Promise<number> {
  const given = process.argv.slice(2);
  const chosen = given.some((each) => !each.startsWith('-'))
    ? given
    : [...SELECTION, ...LEFT_OUT.map((path) => `--exclude=${path}`), ...given];
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...LIMITS, ...chosen], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...settings, TEST_STORES: 'eventstoredb', TEST_PROCESSES: 'split' },
    signal: stopped,
  });
  // Also where it is ended from here, which is told as an error first.
  child.on('error', () => {});
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}
