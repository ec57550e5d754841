/**
 * `npm test`: everything that a change must pass, in order from the quick to the slow. Types, lint and format,
 * unused code, then all tests. Ends with `N passed, N failed, N skipped`, counted over tests and checks.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const root = join(import.meta.dirname, '..');
const modules = join(root, 'node_modules');

function run(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

const checks: readonly { name: string; args: readonly string[] }[] = [
  { name: 'types', args: [join(modules, 'typescript/bin/tsc'), '--noEmit'] },
  {
    name: 'lint and format',
    args: [join(modules, '@biomejs/biome/bin/biome'), 'ci', '--reporter=summary', '.'],
  },
  { name: 'unused code', args: [join(modules, 'knip/bin/knip.js'), '--no-progress'] },
];

async function runTests(report: string): Promise<Counts> {
  const code = await run([
    join(modules, 'vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  const counted = JSON.parse(await readFile(report, 'utf8')) as Record<string, number>;
  const failed = (counted.numFailedTests ?? 0) || (code === 0 ? 0 : 1);
  const skipped = (counted.numPendingTests ?? 0) + (counted.numTodoTests ?? 0);
  return { passed: counted.numPassedTests ?? 0, failed, skipped };
}

const total: Counts = { passed: 0, failed: 0, skipped: 0 };
for (const { name, args } of checks) {
  const begin = performance.now();
  const passed = (await run(args)) === 0;
  total[passed ? 'passed' : 'failed'] += 1;
  process.stdout.write(
    `${passed ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)\n`,
  );
}
const folder = await mkdtemp(join(tmpdir(), 'forgelog-check-'));
try {
  const tests = await runTests(join(folder, 'report.json'));
  if (tests.passed === 0) tests.failed = Math.max(1, tests.failed);
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += tests[key];
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exit(total.failed === 0 ? 0 : 1);
