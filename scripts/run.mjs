// Runs a command on Node 24 after making sure the workspace is installed, on a machine that may have only
// Node 20 and npm. Plain JavaScript, because it must run before anything is installed and on the older Node.
// Usage: node scripts/run.mjs [--production] node <script> [arguments…]
// With --production it is content with what `npm run setup` installed.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureInstalled, root } from './workspace.mjs';

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

const given = process.argv.slice(2);
const production = given[0] === '--production';
ensureInstalled(production);
const [command, ...args] = production ? given.slice(1) : given;
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
