/**
 * `npm test`: everything that a change must pass, in order from the quick to the slow. Types, lint and format,
 * unused code, then the tests. `.ci/run` gives `--all`, which adds the long fault tests, and `--real-servers`, which
 * adds what `npm run test:real` runs where its servers can be had. Ends with the slowest files, with what failed, and
 * with `N passed, N failed, N skipped`, counted over tests and checks.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { NO_SERVERS } from '../infra/local/exit-codes.ts';
import { missingTools } from '../infra/local/toolchains.ts';
import { LONG_TESTS } from './long-tests.ts';

/** What vitest says of a test file; times in milliseconds. `message` is about the file itself, such as an import. */
interface TestFile {
  name: string;
  startTime: number;
  endTime: number;
  status: string;
  message?: string;
  assertionResults?: { fullName: string; status: string; failureMessages?: string[] }[];
}
type Report = Record<string, number> & { testResults?: TestFile[] };

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

interface Results extends Counts {
  code: number;
  /** What failed, a text each. */
  told: readonly string[];
}

const total: Counts = { passed: 0, failed: 0, skipped: 0 };
const files: TestFile[] = [];
const failures: string[] = [];
const SLOWEST = 10;
/** Characters of a failure that the summary repeats; the whole stands where the test ran. */
const FAILURE = 1_500;
const root = join(import.meta.dirname, '..');
const modules = join(root, 'node_modules');

const all = process.argv.includes('--all');
// Fault tests have all their rounds then.
if (all) process.env.ALL_TESTS = '1';

let running: ChildProcess | undefined;
let ended: NodeJS.Signals | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    ended = signal;
    running?.kill(signal);
  });

async function run(args: readonly string[]): Promise<number> {
  if (ended) return 1;
  running = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(running, 'exit');
  return code ?? 1;
}

const checks: readonly { name: string; args: readonly string[] }[] = [
  { name: 'types', args: [join(modules, 'typescript/bin/tsc'), '--noEmit'] },
  {
    name: 'lint and format',
    args: [join(modules, '@biomejs/biome/bin/biome'), 'ci', '--reporter=summary', '.'],
  },
  { name: 'unused code', args: [join(modules, 'knip/bin/knip.js'), '--no-progress'] },
];

/** Runs a script that gives its arguments to vitest; answers its exit code as well. */
async function runTests(script: readonly string[], report: string): Promise<Results> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await run([...script, ...reporters]);
  const { testResults = [], ...counted } = JSON.parse(
    await readFile(report, 'utf8').catch(() => '{}'),
  ) as Report;
  files.push(...testResults);
  const passed = counted.numPassedTests ?? 0;
  const failed = (counted.numFailedTests ?? 0) || (code === 0 && passed > 0 ? 0 : 1);
  const told = testResults.flatMap(failuresOf);
  if (failed > 0 && told.length === 0)
    told.push(`${relative(root, script[0] ?? '')} ended with ${code}, and no test says why: see its output`);
  const skipped = (counted.numPendingTests ?? 0) + (counted.numTodoTests ?? 0);
  return { code, passed, failed, skipped, told };
}

/** A failure's message and its frames in this repository, cut. */
const short = (failure = ''): string =>
  failure
    .split('\n')
    .filter((line) => !line.includes('/node_modules/'))
    .join('\n')
    .slice(0, FAILURE);

/** Repeated at the end, because the output of a failure may lie many thousand lines before it. */
function failuresOf({ name, status, message, assertionResults = [] }: TestFile): string[] {
  const file = relative(root, name);
  const told = assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => `${file} > ${test.fullName}\n${short(test.failureMessages?.join('\n'))}`);
  if (told.length === 0 && status === 'failed') return [`${file}\n${short(message)}`];
  return told;
}

function add(results: Results): void {
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += results[key];
  failures.push(...results.told);
}

/** What is not the product's fault is told, and fails nothing: a machine without the tools, or without registries. */
async function runOnRealServers(report: string): Promise<void> {
  const notRun = (reason: string) =>
    process.stdout.write(`Not run: the suites on real servers. Missing here: ${reason}.\n`);
  const missing = missingTools();
  if (missing.length > 0) return void notRun(missing.join('; '));
  const tests = await runTests([join(root, 'infra/local/test-real.ts')], report);
  if (tests.code === NO_SERVERS) notRun('what they are built from, which could not be fetched (see above)');
  else add(tests);
}

for (const { name, args } of checks) {
  const begin = performance.now();
  const passed = (await run(args)) === 0;
  total[passed ? 'passed' : 'failed'] += 1;
  if (!passed) failures.push(name);
  process.stdout.write(
    `${passed ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)\n`,
  );
}
const folder = await mkdtemp(join(tmpdir(), 'forgelog-check-'));
try {
  const excluded = all ? [] : LONG_TESTS.map((file) => `--exclude=${file}`);
  add(await runTests([join(modules, 'vitest/vitest.mjs'), 'run', ...excluded], join(folder, 'report.json')));
  if (process.argv.includes('--real-servers')) await runOnRealServers(join(folder, 'real.json'));
} finally {
  await rm(folder, { recursive: true, force: true });
}
const durations = files.map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime }));
process.stdout.write('The slowest test files:\n');
for (const { name, ms } of durations.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST))
  process.stdout.write(`${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(root, name)}\n`);
for (const failure of failures) process.stdout.write(`FAIL ${failure}\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exit(total.failed === 0 ? 0 : 1);
