import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { compare, figures, ratios } from '../harness/compare.ts';
import { git } from '../harness/git-plumbing.ts';
import { httpRequest } from '../harness/load.ts';
import type { MeasuredProcess } from '../harness/measured-process.ts';
import { createRepository, rootHeaders } from '../harness/product-repository.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { startProduct } from '../harness/servers.ts';

/** Megabytes that cannot be compressed, a file each. */
const MEGABYTES = 500;
const MEGABYTE = 1024 * 1024;
const BRANCHES = 20;

/** Forks a large repository, against creating an empty project. */
export const forks: Scenario = {
  goals: [23],
  async run(bench: Bench) {
    const { folder } = await bench.copy();
    const product = await startProduct(folder);
    try {
      const origin = await createRepository(product, 'bench origin');
      await fill(origin.remote, await bench.folder());
      origin.close();
      const measured = await compare(
        {
          fork: posting(product, `/projects/${origin.id}/fork`),
          create: posting(product, '/projects'),
        },
        { ...bench.options, by: 'rate' },
      );
      return [
        result(
          23,
          'fork of 500 MB against creating an empty project',
          { atMost: 3 },
          ratios(measured.fork, measured.create, 'p50'),
          `fork ${figures(measured.fork)}; empty ${figures(measured.create)}`,
        ),
      ];
    } finally {
      await product.stop();
    }
  },
};

function posting(process: MeasuredProcess, path: string) {
  let made = 0;
  const next = () => {
    made += 1;
    const name = `bench-${path.length}-${made}`;
    return httpRequest('POST', `/api/v4${path}`, rootHeaders, JSON.stringify({ name, path: name }));
  };
  return { process, load: { status: 201, connections: 1, next } };
}

/** Random files in commits of ten, imported beside and pushed. */
async function fill(remote: string, folder: string): Promise<void> {
  git(folder, ['init', '--quiet', '--bare', folder]);
  const importing = spawn('git', ['--git-dir', folder, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(importing, 'close');
  for (let at = 1; at <= MEGABYTES; at += 1) {
    importing.stdin.write(`blob\nmark :${at}\ndata ${MEGABYTE}\n`);
    importing.stdin.write(randomBytes(MEGABYTE));
    if (at % 10 === 0) importing.stdin.write(commitOf(at));
    if (!importing.stdin.write('\n')) await once(importing.stdin, 'drain');
  }
  importing.stdin.end();
  await ended;
  const branches = Array.from({ length: BRANCHES }, (_, at) => `main:refs/heads/branch-${at}`);
  git(folder, ['push', '--quiet', remote, 'main', ...branches]);
}

function commitOf(last: number): string {
  const files = Array.from({ length: 10 }, (_, at) => `M 100644 :${last - at} file-${last - at}\n`);
  return `\ncommit refs/heads/main\ncommitter Bench <bench@example.org> ${last} +0000\ndata 1\nx\n${files.join('')}`;
}
