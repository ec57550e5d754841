import { join } from 'node:path';
import { compare, type Round, ratios } from '../harness/compare.ts';
import { git } from '../harness/git-plumbing.ts';
import { httpRequest } from '../harness/load.ts';
import { type MeasuredProcess, startMeasured } from '../harness/measured-process.ts';
import { createRepository, rootHeaders } from '../harness/product-repository.ts';
import { createRandom } from '../harness/random.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { OUT } from '../harness/seed.ts';
import { answerOf, startProduct } from '../harness/servers.ts';
import { median } from '../harness/statistics.ts';

const FILES = 200;
const COMMITS = 300;
/** The pairs among so many of the newest commits are requested repeatedly. */
const NEWEST = 12;
const CHANGED = 6;

type Pair = { from: string; to: string; trees: string };

/** Compares two commits, against a git process that only diffs their trees. */
export const comparisons: Scenario = {
  goals: [11],
  async run(bench: Bench) {
    const { tell } = bench;
    const product = await startProduct((await bench.copy()).folder);
    const project = await createRepository(product, 'bench comparisons');
    const random = createRandom(6);
    const file = (at: number) => ({ path: `src/file-${at}.txt`, content: text(random) });
    await project.commit(
      'files',
      'create',
      Array.from({ length: FILES }, (_, at) => file(at)),
    );
    const commits: string[] = [];
    for (let at = 0; at < COMMITS; at += 1) {
      const changed = Array.from({ length: CHANGED }, (_, index) => file((at * 31 + index * 7) % FILES));
      commits.push(await project.commit(`change ${at}`, 'update', changed));
    }
    const gitDir = await project.mirror(await bench.folder());
    project.close();
    const trees = commits.map((id) => git(gitDir, ['rev-parse', `${id}^{tree}`]));
    const pairsFrom = (first: number): Pair[] =>
      commits.flatMap((to, at) =>
        commits
          .slice(first, Math.max(first, at))
          .map((from, index) => ({ from, to, trees: `${trees[first + index]}/${trees[at]}` })),
      );
    const often = pairsFrom(COMMITS - NEWEST);
    // Pairs of all commits, as close as the newest ones; each is requested once while they last.
    const once = pairsFrom(0).filter(
      ({ from, to }) =>
        commits.indexOf(to) < COMMITS - NEWEST && commits.indexOf(to) - commits.indexOf(from) < NEWEST,
    );
    const reference = await startMeasured(join(import.meta.dirname, '../harness/diff-reference-server.ts'), {
      env: { GIT_DIR: gitDir },
      output: join(OUT, 'diff-reference.log'),
      ready: '/',
    });
    const api = ({ from, to }: Pair) =>
      httpRequest(
        'GET',
        `/api/v4/projects/${project.id}/repository/compare?from=${from}&to=${to}`,
        rootHeaders,
      );
    const bare = (pair: Pair) => httpRequest('GET', `/${pair.trees}`);
    try {
      for (const pair of often) await check(pair, gitDir, { product, reference, api, bare });
      const any = () => often[Math.floor(random() * often.length)]!;
      const asked = { product: 0, reference: 0 };
      const another = (who: keyof typeof asked) => () => once[asked[who]++ % once.length]!;
      const side = (process: MeasuredProcess, of: (pair: Pair) => string, pair: () => Pair) => ({
        process,
        load: { status: 200, connections: 1, next: () => of(pair()) },
      });
      const { again, anew, diff, diffAnew } = await compare(
        {
          again: side(product, api, any),
          anew: side(product, api, another('product')),
          diff: side(reference, bare, any),
          // git caches what it unpacked, so repeated requests are cheaper for it too.
          diffAnew: side(reference, bare, another('reference')),
        },
        { ...bench.options, by: 'rate' },
      );
      const p50 = (rounds: Round[]) => `${median(rounds.map((round) => round.p50)).toFixed(2)} ms`;
      const against = (name: string, rounds: Round[], bareOnes: Round[]) =>
        result(
          11,
          `GET compare, ${name}, against bare diff-tree`,
          { atMost: 1.5 },
          ratios(rounds, bareOnes, 'p50'),
          `diff-tree ${p50(bareOnes)}; product ${p50(rounds)}`,
        );
      tell(`${asked.product} and ${asked.reference} of ${once.length} pairs were asked for once`);
      return [against('asked for before', again, diff), against('of another pair each time', anew, diffAnew)];
    } finally {
      await Promise.all([product.stop(), reference.stop()]);
    }
  },
};

/** Checks that both sides return the complete difference. */
async function check(
  { from, to, ...pair }: Pair,
  gitDir: string,
  sides: {
    product: MeasuredProcess;
    reference: MeasuredProcess;
    api: (pair: Pair) => string;
    bare: (pair: Pair) => string;
  },
): Promise<void> {
  const patch = git(gitDir, ['diff-tree', '-r', '-p', '-U3', '--full-index', from, to]);
  const told = (await answerOf(sides.reference, sides.bare({ from, to, ...pair }))).toString().trim();
  const { diffs } = JSON.parse(
    (await answerOf(sides.product, sides.api({ from, to, ...pair }))).toString(),
  ) as {
    diffs: { diff: string }[];
  };
  if (!told.endsWith(patch) || diffs.length === 0 || !diffs.every(({ diff }) => patch.includes(diff.trim())))
    throw new Error(`the sides differ over ${from}..${to}`);
}

const text = (random: () => number): string =>
  Array.from({ length: 60 }, () => `${random()} ${random()}\n`).join('');
