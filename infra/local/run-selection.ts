import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { LEFT_OUT, SELECTION } from './selection.ts';

const root = join(import.meta.dirname, '../..');
/** Time limits for slow servers on shared machines. A test's own limit takes precedence. */
const LIMITS = ['--testTimeout=180000', '--hookTimeout=180000'];

/**
 * Runs the selection on the servers of these settings. This process's arguments go to vitest; files among them replace
 * the selection. Resolves with vitest's exit code.
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
  // Killing it from here also raises an error event.
  child.on('error', () => {});
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}
