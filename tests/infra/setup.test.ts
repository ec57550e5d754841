import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROGRAM_ENVIRONMENT } from '../support/server-process.ts';

const root = join(import.meta.dirname, '../..');
const INSTALLED = [
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'patches',
  'packages',
  'services',
];
const OURS = [...INSTALLED, 'infra', 'scripts', 'tests/generated-client/package.json'];
const NOT_IN_A_CLONE = ['node_modules', '.build', '.state'];
/** Where nothing listens: whatever asks it fails. */
const NO_REGISTRY = { npm_config_registry: 'http://127.0.0.1:9' };
const START = ['scripts/run.mjs', '--production', 'node', 'infra/src/main.ts'];
const mayMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

let clone: string;
beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'forgelog-setup-'));
  const filter = (path: string) => !NOT_IN_A_CLONE.includes(basename(path));
  for (const name of OURS) await cp(join(root, name), join(clone, name), { recursive: true, filter });
});
afterAll(() => rm(clone, { recursive: true, force: true }));

/** Runs a command in the clone, which it cannot write to. */
function runReadOnly(args: readonly string[], environment: Record<string, string> = {}) {
  const mount = `mount --bind ${clone} ${clone} && mount -o remount,bind,ro ${clone} && cd ${clone} && exec "$@"`;
  const child = spawn('unshare', ['-rm', 'sh', '-c', mount, 'sh', process.execPath, ...args], {
    env: { ...PROGRAM_ENVIRONMENT, ...NO_REGISTRY, PORT: '0', LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return { child, output: () => output, ended: once(child, 'close').then(([code]) => code as number) };
}

test.skipIf(!mayMount)('a start that may not install says what to run (needs to mount)', async () => {
  const server = runReadOnly(START);
  expect(await server.ended).toBe(2);
  expect(server.output()).toBe(
    `The dependencies are not installed, and this user cannot write to ${clone}.\n` +
      'Run `npm run setup` there as its owner, then start again.\n',
  );
});

test('a setup without a registry says that it needs one', () => {
  const home = { HOME: join(clone, 'home'), npm_config_fetch_retries: '0' };
  const env = { PATH: process.env.PATH, ...NO_REGISTRY, ...home };
  const { status, stderr } = spawnSync('npm', ['run', '-s', 'setup'], { cwd: clone, env, encoding: 'utf8' });
  expect(stderr).toContain('Installing the dependencies failed');
  expect(stderr).toContain('It needs a package registry');
  expect(status).toBe(1);
});

// Installs for real: `.ci/run` has the time.
test.skipIf(!process.env.ALL_TESTS || !mayMount)(
  'after setup a server runs from a folder that it cannot write to, without a registry',
  { timeout: 300_000 },
  async ({ skip }) => {
    const options = { cwd: clone, encoding: 'utf8' } as const;
    const setup = spawnSync('npm', ['run', '-s', 'setup'], options);
    const unreachable = /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT/.exec(setup.stderr);
    if (setup.status !== 0 && unreachable) skip(`no registry of packages here (${unreachable[0]})`);
    expect(setup.status, setup.stderr).toBe(0);
    expect(existsSync(join(clone, 'node_modules/vitest'))).toBe(false);

    const dataDir = await mkdtemp(join(tmpdir(), 'forgelog-setup-data-'));
    const server = runReadOnly(START, { DATA_DIR: dataDir });
    await expect.poll(server.output, { timeout: 100_000 }).toMatch(/is ready on http/);
    const [, address, token] = /ready on (http\S+)\n.+: (\S+)/.exec(server.output())!;
    const headers = { 'PRIVATE-TOKEN': token! };
    expect((await fetch(`${address}/api/v4/user`, { headers })).status).toBe(200);
    const backup = runReadOnly(
      ['scripts/run.mjs', '--production', 'node', 'infra/src/backup.ts', `${dataDir}/b`],
      {
        DATA_DIR: dataDir,
      },
    );
    expect(await backup.ended, backup.output()).toBe(0);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    await rm(dataDir, { recursive: true });

    await appendFile(join(clone, 'package.json'), '\n');
    const updated = runReadOnly(START);
    expect(await updated.ended).toBe(2);
    expect(updated.output()).toMatch(
      /^This version needs other dependencies than those installed, and .+\n.+npm run setup/,
    );
  },
);
