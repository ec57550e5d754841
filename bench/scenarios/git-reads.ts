import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { git } from '../harness/git-plumbing.ts';
import { startMeasured } from '../harness/measured-process.ts';
import { createRepository } from '../harness/product-repository.ts';
import { createRandom } from '../harness/random.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { OUT } from '../harness/seed.ts';
import { startProduct } from '../harness/servers.ts';
import { median } from '../harness/statistics.ts';

const FILES = 300;
const COMMITS = 2_000;
const BRANCHES = 20;

/** What a client of git waits for, against `git http-backend` on a copy of the very same repository. */
export const gitReads: Scenario = {
  goals: [13],
  async run(bench: Bench) {
    const folder = await bench.folder();
    const product = await startProduct(folder);
    const project = await createRepository(product, 'bench git');
    const scratch = await bench.folder();
    const source = join(scratch, 'source.git');
    git(source, ['init', '--quiet', '--bare', source]);
    git(source, ['fast-import', '--quiet'], history());
    git(source, ['push', '--quiet', project.remote, 'refs/heads/*:refs/heads/*']);
    project.close();
    await cp(join(folder, 'repositories', repositoryPath(project.id)), join(scratch, 'reference.git'), {
      recursive: true,
    });
    const reference = await startMeasured(join(import.meta.dirname, '../harness/http-backend-server.ts'), {
      env: { GIT_PROJECT_ROOT: scratch },
      output: join(OUT, 'http-backend.log'),
      ready: '/',
    });
    try {
      const remotes = {
        product: project.remote,
        reference: `http://127.0.0.1:${reference.port}/reference.git`,
      };
      return await measure(bench, remotes, scratch);
    } finally {
      await Promise.all([product.stop(), reference.stop()]);
    }
  },
};

type Remotes = Record<'product' | 'reference', string>;

async function measure({ options }: Bench, remotes: Remotes, scratch: string) {
  const clones = Object.entries(remotes).map(([side, remote]) => {
    const clone = join(scratch, `${side}-clone.git`);
    git(clone, ['clone', '--quiet', '--bare', remote, clone]);
    git(clone, ['config', 'remote.origin.fetch', '+refs/heads/*:refs/heads/*']);
    return [side, clone] as const;
  });
  const cloneOf = Object.fromEntries(clones) as Remotes;
  const into = (...args: string[]) => {
    return async (side: keyof Remotes) => {
      const target = await mkdtemp(join(scratch, 'clone-'));
      const begin = performance.now();
      git(target, ['clone', '--quiet', '--bare', ...args, remotes[side], target]);
      const taken = performance.now() - begin;
      await rm(target, { recursive: true, force: true });
      return taken;
    };
  };
  const timed = (args: (side: keyof Remotes) => string[]) => async (side: keyof Remotes) => {
    const begin = performance.now();
    git(cloneOf[side], args(side));
    return performance.now() - begin;
  };
  const exchanges = [
    { name: 'clone', times: 1, run: into() },
    { name: 'shallow clone', times: 2, run: into('--depth', '1') },
    { name: 'fetch with nothing new', times: 8, run: timed(() => ['fetch', '--quiet', 'origin']) },
    { name: 'ls-remote', times: 8, run: timed((side) => ['ls-remote', '--quiet', remotes[side]]) },
  ];
  const results = [];
  for (const { name, times, run } of exchanges) {
    const taken = { product: [] as number[], reference: [] as number[] };
    for (let round = -1; round < options.rounds; round += 1) {
      const sides = ['product', 'reference'] as const;
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const some: number[] = [];
        for (let at = 0; at < times; at += 1) some.push(await run(side));
        if (round >= 0) taken[side].push(median(some));
      }
    }
    const ratios = taken.reference.map((ms, round) => ms / taken.product[round]!);
    const ms = (side: keyof Remotes) => `${side} ${median(taken[side]).toFixed(1)} ms`;
    const detail = `${ms('product')}; ${ms('reference')}`;
    results.push(result(13, `${name} against git http-backend`, { atLeast: 0.95 }, ratios, detail));
  }
  return results;
}

/** Files that change again and again, and some branches. */
function history(): string {
  const random = createRandom(13);
  const lines: string[] = [];
  for (let at = 1; at <= COMMITS; at += 1) {
    const files = Array.from({ length: at === 1 ? FILES : 3 }, (_, index) => (at * 31 + index * 7) % FILES);
    const changes = files.map((file) => {
      const text = Array.from({ length: 40 }, () => `${random()}`).join('\n');
      return `M 100644 inline src/${file % 17}/file-${file}.txt\ndata ${text.length}\n${text}\n`;
    });
    const head = `commit refs/heads/main\nmark :${at}\ncommitter Bench <bench@example.org> ${1_600_000_000 + at} +0000`;
    lines.push(`${head}\ndata 6\nchange${at === 1 ? '' : `\nfrom :${at - 1}`}\n${changes.join('')}\n`);
  }
  for (let branch = 0; branch < BRANCHES; branch += 1)
    lines.push(`reset refs/heads/branch-${branch}\nfrom :${COMMITS - branch * 50}\n\n`);
  return lines.join('');
}
