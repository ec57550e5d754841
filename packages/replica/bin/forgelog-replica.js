#!/usr/bin/env node
// Runs the program on Node 24: on this one, or on the one that npm installed beside it. Plain JavaScript, because it
// must run on the older Node.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const main = new URL('../dist/main.js', import.meta.url);
const [major] = process.versions.node.split('.');

if (Number(major) >= 24) await import(main.href);
else runOn(newerNode());

function newerNode() {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    process.stderr.write(
      `forgelog-replica: it needs Node 24. This is Node ${process.versions.node}, and none was installed beside it. Install Node 24 from https://nodejs.org and try again.\n`,
    );
    process.exit(2);
  }
}

function runOn(node) {
  const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal sends it to both.
  process.on('SIGINT', () => {});
  child.on('error', (error) => {
    process.stderr.write(`forgelog-replica: ${error.message}\n`);
    process.exitCode = 2;
  });
  child.on('close', (code) => {
    process.exitCode = code ?? 1;
  });
}
