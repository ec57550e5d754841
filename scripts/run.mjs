// Runs a command on Node 24 after making sure the workspace is installed, on a machine that may have only
// Node 20 and npm. Plain JavaScript, because it must run before anything is installed and on the older Node.
// Usage: node scripts/run.mjs node <script> [arguments…]
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PNPM = 'pnpm@12.21.0';
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The files that decide what gets installed: when none of them changed, there is nothing to install. */
function manifests() {
  const files = [
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'infra/package.json',
    'tests/generated-client/package.json',
  ];
  for (const folder of ['packages', 'services']) {
    for (const name of readdirSync(join(root, folder)).sort()) files.push(`${folder}/${name}/package.json`);
  }
  return files.filter((file) => existsSync(join(root, file)));
}

function fingerprint() {
  const hash = createHash('sha256').update(PNPM).update(process.platform).update(process.arch);
  for (const file of manifests())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

function install() {
  const stamp = join(root, 'node_modules', '.installed');
  const wanted = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  process.stderr.write('Installing dependencies (only the first time, and when they changed)…\n');
  const frozen = existsSync(join(root, 'pnpm-lock.yaml')) ? ['--frozen-lockfile'] : [];
  const done = spawnSync(
    'npm',
    [
      'exec',
      '--yes',
      '--prefer-offline',
      `--package=${PNPM}`,
      '--',
      'pnpm',
      'install',
      '--prefer-offline',
      '--reporter=append-only',
      ...frozen,
    ],
    { cwd: root, stdio: ['ignore', 2, 2], env: { ...process.env, CI: process.env.CI ?? 'true' } },
  );
  if (done.status !== 0) {
    process.stderr.write(
      `\nInstalling the dependencies failed (exit ${done.status ?? done.signal ?? done.error?.message}). ` +
        'The first start needs a package registry; later ones need no network.\n',
    );
    process.exit(1);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, fingerprint());
}

/** Node 24 or newer: this very one where it is, else the one that the lockfile brought. */
function runtime() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const path = join(root, 'node_modules', name, 'bin', 'node');
  if (existsSync(path)) return path;
  process.stderr.write(
    `Forgelog needs Node 24 or newer. This is Node ${process.versions.node}, and no ${name} package could be installed here.\n` +
      'Install Node 24 from https://nodejs.org and try again.\n',
  );
  process.exit(1);
}

install();
const [command, ...args] = process.argv.slice(2);
const node = runtime();
const child = spawn(command === 'node' ? node : command, args, {
  stdio: 'inherit',
  env: {
    ...process.env,
    PATH: `${dirname(node)}:${process.env.PATH}`,
    // Each later start spares stripping the types and compiling, about a third of its processor time.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/node'),
  },
});
// The terminal sends SIGINT to the whole group: the child hears it by itself and decides when to go.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  process.stderr.write(`Could not start ${command}: ${error.message}\n`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(signal ? 128 + 15 : (code ?? 1)));
