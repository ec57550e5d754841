// What is installed, and how it is installed. Plain JavaScript, because it must run before anything is installed and
// on Node 20.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PNPM = 'pnpm@12.21.0';
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const stamp = join(modules, '.installed');
/** Before the fingerprint in the stamp where only production dependencies are installed. */
const PRODUCTION = 'production ';

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

function mayWrite(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Ends the process with a sentence; supervisors take 2 for something that a restart does not mend. */
function refuse(message, code) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

/**
 * Makes sure that what a command needs is installed; ends the process if that is not possible.
 * @param {boolean} production production dependencies are enough, and stay alone where `npm run setup` left them so
 */
export function ensureInstalled(production) {
  const wanted = fingerprint();
  const found = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  const alone = production && found.startsWith(PRODUCTION);
  if (found === (alone ? PRODUCTION : '') + wanted) return;
  if (!mayWrite(existsSync(modules) ? modules : root))
    refuse(
      `${found ? 'This version needs other dependencies than those installed' : 'The dependencies are not installed'}` +
        `, and this user cannot write to ${root}.\nRun \`npm run setup\` there as its owner, then start again.`,
      2,
    );
  install(alone);
}

/** Installs all dependencies, or those of production alone. */
export function install(production) {
  process.stderr.write('Installing dependencies (only the first time, and when they changed)…\n');
  const frozen = existsSync(join(root, 'pnpm-lock.yaml')) ? ['--frozen-lockfile'] : [];
  const pnpm = ['install', '--prefer-offline', '--reporter=append-only', ...frozen];
  const done = spawnSync(
    'npm',
    [
      'exec',
      '--yes',
      '--prefer-offline',
      `--package=${PNPM}`,
      '--',
      'pnpm',
      ...pnpm,
      ...(production ? ['--prod'] : []),
    ],
    { cwd: root, stdio: ['ignore', 2, 2], env: { ...process.env, CI: process.env.CI ?? 'true' } },
  );
  if (done.status !== 0)
    refuse(
      `\nInstalling the dependencies failed (exit ${done.status ?? done.signal ?? done.error?.message}). ` +
        'It needs a package registry; later starts need no network.',
      1,
    );
  mkdirSync(modules, { recursive: true });
  writeFileSync(stamp, (production ? PRODUCTION : '') + fingerprint());
}
