import { join } from 'node:path';
import { git } from '../harness/git-plumbing.ts';
import { startMeasured } from '../harness/measured-process.ts';
import { createRepository } from '../harness/product-repository.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { OUT } from '../harness/seed.ts';
import { startProduct } from '../harness/servers.ts';
import { median } from '../harness/statistics.ts';

const COMMITS = 50;
const REFS = 5_000;
/** Pushes of one commit in a round. */
const ORDINARY = 10;

type Side = 'product' | 'reference';
const SIDES = ['product', 'reference'] as const;

/** What a client of git waits for when it pushes, against `git http-backend` that makes as much durable. */
export const pushes: Scenario = {
  goals: [13],
  async run(bench: Bench) {
    const product = await startProduct(await bench.folder());
    const project = await createRepository(product, 'bench pushes');
    project.close();
    const scratch = await bench.folder();
    const [source, target] = [join(scratch, 'source.git'), join(scratch, 'reference.git')];
    for (const gitDir of [source, target]) git(gitDir, ['init', '--quiet', '--bare', gitDir]);
    git(target, ['config', 'http.receivepack', 'true']);
    git(target, ['config', 'core.fsync', 'objects,derived-metadata,reference']);
    git(source, ['fast-import', '--quiet'], history());
    const reference = await startMeasured(join(import.meta.dirname, '../harness/http-backend-server.ts'), {
      env: { GIT_PROJECT_ROOT: scratch },
      output: join(OUT, 'http-backend.log'),
      ready: '/',
    });
    const remotes = {
      product: project.remote,
      reference: `http://127.0.0.1:${reference.port}/reference.git`,
    };
    try {
      return [
        await row(bench, 'a push of 5,000 refs', (round, side) => manyRefs(source, remotes[side], round)),
        await row(bench, 'a push of one commit', (round, side) => ordinary(source, remotes[side], round)),
      ];
    } finally {
      await Promise.all([product.stop(), reference.stop()]);
    }
  },
};

async function row({ options }: Bench, name: string, run: (round: number, side: Side) => number) {
  const taken = { product: [] as number[], reference: [] as number[] };
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
      const ms = run(round, side);
      if (round > 0) taken[side].push(ms);
    }
  }
  const ratios = taken.reference.map((ms, round) => ms / taken.product[round]!);
  const detail = SIDES.map((side) => `${side} ${median(taken[side]).toFixed(0)} ms`).join('; ');
  return result(13, `${name} against git http-backend`, { atLeast: 0.5 }, ratios, detail);
}

const timed = (work: () => void): number => {
  const begin = performance.now();
  work();
  return performance.now() - begin;
};

function manyRefs(source: string, remote: string, round: number): number {
  const tips = git(source, ['rev-list', 'main']).split('\n');
  const names = Array.from({ length: REFS }, (_, at) => `refs/heads/round-${round}/${at}`);
  const lines = names.map((name, at) => `update ${name} ${tips[at % tips.length]}\n`);
  git(source, ['update-ref', '--stdin'], lines.join(''));
  const refspec = `refs/heads/round-${round}/*:refs/heads/round-${round}/*`;
  return timed(() => void git(source, ['push', '--quiet', remote, refspec]));
}

function ordinary(source: string, remote: string, round: number): number {
  const tree = git(source, ['rev-parse', 'main^{tree}']);
  const commit = (at: number) => git(source, ['commit-tree', tree, '-p', 'main', '-m', `${round} ${at}`]);
  const commits = Array.from({ length: ORDINARY }, (_, at) => commit(at));
  const ms = timed(() => {
    for (const [at, oid] of commits.entries())
      git(source, ['push', '--quiet', remote, `${oid}:refs/heads/one-${round}-${at}`]);
  });
  return ms / ORDINARY;
}

function history(): string {
  const lines: string[] = [];
  for (let at = 1; at <= COMMITS; at += 1)
    lines.push(
      `commit refs/heads/main\nmark :${at}\ncommitter Bench <bench@example.org> ${1_600_000_000 + at} +0000\n` +
        `data <<END\nCommit ${at}\nEND\n${at === 1 ? '' : `from :${at - 1}\n`}M 100644 inline file\ndata <<END\n${at}\nEND\n\n`,
    );
  return lines.join('');
}
