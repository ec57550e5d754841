import { join } from 'node:path';
import { git } from '../harness/git-plumbing.ts';
import { Connection, httpRequest } from '../harness/load.ts';
import { type MeasuredProcess, startMeasured } from '../harness/measured-process.ts';
import { BRANCHES, type SeededMergeRequests } from '../harness/merge-request-seed.ts';
import { rootHeaders } from '../harness/product-repository.ts';
import { type Bench, result } from '../harness/scenario.ts';
import { OUT } from '../harness/seed.ts';
import { median } from '../harness/statistics.ts';

const SIDES = ['product', 'reference'] as const;

/** The first merges into a branch are near their base; those after them are left to git (ADR 73). */
const NEAR = 40;

/** Merges one after the other into the same branch, against the git processes of a merge commit. */
export async function merges(
  bench: Bench,
  product: MeasuredProcess,
  { gitDir, merging }: SeededMergeRequests,
) {
  const copy = join(await bench.folder(), 'merges.git');
  git(copy, ['clone', '--quiet', '--bare', gitDir, copy]);
  const reference = await startMeasured(join(import.meta.dirname, '../harness/merge-reference-server.ts'), {
    env: { GIT_DIR: copy },
    output: join(OUT, 'merge-reference.log'),
    ready: '/',
  });
  const tips = Array.from({ length: BRANCHES.merge }, (_, at) => git(gitDir, ['rev-parse', `merge-${at}`]));
  const requests = {
    product: (at: number) =>
      httpRequest('PUT', `/api/v4/projects/${merging.id}/merge_requests/${at + 1}/merge`, rootHeaders, '{}'),
    reference: (at: number) => httpRequest('POST', `/${tips[at]}`),
  };
  const measure = async (name: string, from: number, to: number) => {
    const each = Math.floor((to - from) / (bench.options.rounds + 1));
    const taken = { product: [] as number[], reference: [] as number[] };
    for (let round = 0; round <= bench.options.rounds; round += 1) {
      for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
        const { port } = side === 'product' ? product : reference;
        const ms = await timed(port, requests[side], from + round * each, each);
        if (round > 0) taken[side].push(ms);
      }
    }
    return result(
      28,
      `merging ${name}, against git merge-tree, commit-tree and update-ref`,
      { atMost: 1.3 },
      taken.product.map((ms, round) => ms / taken.reference[round]!),
      SIDES.map((side) => `${side} ${median(taken[side]).toFixed(1)} ms`).join('; '),
    );
  };
  try {
    return [await measure('near its base', 0, NEAR), await measure('far from it', NEAR, BRANCHES.merge)];
  } finally {
    await reference.stop();
  }
}

/** Median milliseconds of so many requests, one after the other. */
async function timed(port: number, request: (at: number) => string, first: number, count: number) {
  const connection = await Connection.open(port);
  const taken: number[] = [];
  for (let at = first; at < first + count; at += 1) {
    const begin = performance.now();
    const { status, body } = await connection.call(request(at));
    if (status !== 200) throw new Error(`${status} ${body}`);
    taken.push(performance.now() - begin);
  }
  connection.close();
  return median(taken);
}
