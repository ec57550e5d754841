/** `npm run test:real`: the adapters that need a server, against real ones; ends those that it started itself. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { anyRunning, down, up } from './servers.ts';

const root = join(import.meta.dirname, '../..');
const SUITES = ['packages/eventing/src/adapters/mongodb', 'packages/eventing/src/adapters/kafka'];

const mine = !anyRunning();
try {
  const settings = await up();
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  process.exitCode = await new Promise<number>((resolve, reject) => {
    const child = spawn(process.execPath, [vitest, 'run', ...SUITES, ...process.argv.slice(2)], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...settings },
    });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
} finally {
  if (mine) await down();
}
