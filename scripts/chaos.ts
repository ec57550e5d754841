/**
 * `npm run chaos`: the long form of the fault tests (tests/faults, tests/bad-days), with a seed that it prints and takes back:
 *   npm run chaos -- [seed] [scale]
 * Each round kills, cuts, fills or floods something at a place that the seed decides. `scale` (8) times as many rounds
 * as in `npm test`; each test has a bound of its own, so it ends in minutes.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';

const [seed = String(randomInt(1, 1_000_000)), scale = '8'] = process.argv.slice(2);
if (![seed, scale].every((text) => /^[1-9]\d{0,8}$/.test(text))) {
  process.stderr.write('usage: npm run chaos -- [seed] [scale], both whole numbers from 1 on\n');
  process.exit(2);
}
process.stdout.write(`seed ${seed}, scale ${scale}\n`);
const root = join(import.meta.dirname, '..');
const tests = spawn(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=verbose',
    'tests/faults',
    'tests/bad-days',
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, FAULT_SEED: seed, FAULT_SCALE: scale } },
);
tests.on('exit', (code) => {
  process.stdout.write(`To do the same again: npm run chaos -- ${seed} ${scale}\n`);
  process.exit(code ?? 1);
});
