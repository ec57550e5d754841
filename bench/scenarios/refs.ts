import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { compare, type Round } from '../harness/compare.ts';
import { git } from '../harness/git-plumbing.ts';
import { httpRequest } from '../harness/load.ts';
import type { MeasuredProcess } from '../harness/measured-process.ts';
import { createRepository, rootHeaders } from '../harness/product-repository.ts';
import { createRandom } from '../harness/random.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { startProduct } from '../harness/servers.ts';
import { median } from '../harness/statistics.ts';

/** Refs, half of them branches and half of them tags. */
const FEW = 10;
const MANY = 10_000;
/** Branches or tags on a page. */
const PAGE = 20;

/** Milliseconds of processor time for a branch, a page of branches and one of tags, in repositories of few and many. */
export const refs: Scenario = {
  goals: [16],
  async run(bench: Bench) {
    const product = await startProduct(await bench.folder());
    try {
      const results = [];
      for (const count of [FEW, MANY]) {
        bench.tell(`pushing ${count} refs`);
        const at = await repositoryOf(product, count / 2, await bench.folder());
        await rested(product);
        const sides = sidesOf(product, at, count / 2);
        for (const [name, rounds] of Object.entries(await compare(sides, { ...bench.options, by: 'cpu' })))
          results.push(row(`${name}, of ${count} refs`, rounds));
      }
      return results;
    } finally {
      await product.stop();
    }
  },
};

function row(name: string, rounds: readonly Round[]) {
  const p50 = median(rounds.map((round) => round.p50));
  const times = rounds.map(({ cpu }) => cpu / 1000);
  return result(16, `${name}: ms of processor time`, { atMost: 1 }, times, `p50 ${p50.toFixed(2)} ms`);
}

/** What follows from so many events in the background is not what is measured. */
async function rested(process: MeasuredProcess): Promise<void> {
  for (let before = await process.usage(); ; ) {
    await setTimeout(500);
    const after = await process.usage();
    if (after.cpu - before.cpu < 20_000) return;
    before = after;
  }
}

function sidesOf(process: MeasuredProcess, at: string, count: number) {
  const random = createRandom(7);
  const any = (most: number) => Math.floor(random() * most);
  const side = (path: () => string) => ({
    process,
    load: { status: 200, connections: 1, next: () => httpRequest('GET', at + path(), rootHeaders) },
  });
  const page = () => `per_page=${PAGE}&page=${1 + any(Math.max(1, count / PAGE))}`;
  return {
    'one branch': side(() => `/branches/branch-${any(count)}`),
    'a page of branches': side(() => `/branches?${page()}`),
    'a page of tags, the newest first': side(() => `/tags?${page()}`),
  };
}

/** A repository of as many branches and tags, each of a commit of its own, every other merged; returns its address. */
async function repositoryOf(product: MeasuredProcess, count: number, folder: string): Promise<string> {
  const project = await createRepository(product, `bench ${count} refs`);
  const gitDir = join(folder, 'source.git');
  git(gitDir, ['init', '--quiet', '--bare', gitDir]);
  git(gitDir, ['fast-import', '--quiet'], history(count));
  git(gitDir, ['push', '--quiet', '--atomic', project.remote, 'refs/*:refs/*']);
  project.close();
  return `/api/v4/projects/${project.id}/repository`;
}

function history(count: number): string {
  const commit = (ref: string, at: number, from: string) =>
    `commit ${ref}\nmark :${at}\ncommitter Bench <bench@example.org> ${1_600_000_000 + at} +0000\n` +
    `data <<END\nCommit ${at}\nEND\n${from}\n`;
  const lines: string[] = [];
  for (let at = 1; at <= count; at += 1)
    lines.push(commit('refs/heads/main', at, at === 1 ? '' : `from :${at - 1}`));
  for (let at = 0; at < count; at += 1) {
    const branch = `refs/heads/branch-${at}`;
    if (at % 2 === 0) lines.push(`reset ${branch}\nfrom :${1 + at}\n\n`);
    else lines.push(commit(branch, count + 1 + at, `from :${1 + at}`));
    lines.push(`reset refs/tags/v${at}\nfrom :${1 + at}\n\n`);
  }
  return lines.join('');
}
