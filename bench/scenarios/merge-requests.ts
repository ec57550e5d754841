import { join } from 'node:path';
import { compare, figures, type Round, ratios } from '../harness/compare.ts';
import { git } from '../harness/git-plumbing.ts';
import { httpRequest } from '../harness/load.ts';
import { type MeasuredProcess, startMeasured } from '../harness/measured-process.ts';
import { BRANCHES, type SeededMergeRequests, seedMergeRequests } from '../harness/merge-request-seed.ts';
import { rootHeaders } from '../harness/product-repository.ts';
import { createRandom } from '../harness/random.ts';
import { type Bench, type Result, result, type Scenario } from '../harness/scenario.ts';
import { OUT } from '../harness/seed.ts';
import { answerOf, startBare, startProduct } from '../harness/servers.ts';
import { median } from '../harness/statistics.ts';
import { discussionPages } from './merge-request-notes.ts';
import { merges } from './merges.ts';

const PER_PAGE = 20;
const FEW = 1_000;

/** What people do with merge requests, against the same without them. */
export const mergeRequests: Scenario = {
  goals: [28],
  async run(bench: Bench) {
    const merged = bench.options.large / 10;
    const seeded = await seedMergeRequests(await bench.folder(), await bench.folder(), { merged, few: FEW });
    const product = await startProduct(seeded.folder);
    try {
      return [
        ...(await pages(bench, product, seeded)),
        ...(await differences(bench, product, seeded)),
        await creation(bench, product, seeded),
        ...(await discussionPages(bench, product, seeded)),
        ...(await merges(bench, product, seeded)),
      ];
    } finally {
      await product.stop();
    }
  },
};

const read = (path: string) => httpRequest('GET', `/api/v4${path}`, rootHeaders);

/** The goals of issues (4 and 5). */
async function pages({ options }: Bench, product: MeasuredProcess, { many, few }: SeededMergeRequests) {
  const path = (id: number) => `/projects/${id}/merge_requests?per_page=${PER_PAGE}`;
  const first = read(path(many.id));
  const bare = await startBare(await answerOf(product, first));
  const again = (process: MeasuredProcess) => ({
    process,
    load: { status: 200, connections: 16, next: () => first },
  });
  // An unused parameter makes every request unique, so that the answer cache never hits.
  let number = 0;
  const anew = (pathOf: () => string) => ({
    process: product,
    load: { status: 200, connections: 16, next: () => read(`${pathOf()}&n=${++number}`) },
  });
  const random = createRandom(8);
  const byNumber = (id: number) => `${path(id)}&pagination=keyset&order_by=created_at`;
  const places = await cursors(product, byNumber(many.id), 20);
  const anyPlace = () => `${byNumber(many.id)}&cursor=${places[Math.floor(random() * places.length)]}`;
  try {
    const { bytes, same, large, small, keyset } = await compare(
      {
        bytes: again(bare),
        same: again(product),
        large: anew(() => path(many.id)),
        small: anew(() => path(few.id)),
        keyset: anew(anyPlace),
      },
      { ...options, by: 'cpu' },
    );
    const row = (name: string, target: Parameters<typeof result>[2], over: Round[], under: Round[]): Result =>
      result(28, name, target, ratios(over, under, 'cpu'), `${figures(over)}; ${figures(under)}`);
    return [
      row('a page of 20 merge requests, again and again', { atLeast: 0.45 }, bytes, same),
      row('a page of 20 merge requests, put together anew', { atLeast: 0.45 }, bytes, large),
      row(`first page, ${many.count} against ${few.count}`, { atMost: 1.2 }, large, small),
      row('keyset page of many against the first of few', { atMost: 1.6 }, keyset, small),
    ];
  } finally {
    await bare.stop();
  }
}

/** Follows keyset pages. */
async function cursors(product: MeasuredProcess, path: string, count: number): Promise<string[]> {
  const found: string[] = [];
  let next = path;
  while (found.length < count) {
    const response = await fetch(`http://127.0.0.1:${product.port}/api/v4${next}`, { headers: rootHeaders });
    await response.arrayBuffer();
    const cursor = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    if (!cursor) throw new Error(`no next page of ${next}`);
    found.push(cursor);
    next = `${path}&cursor=${cursor}`;
  }
  return found;
}

/** One with its difference, against git's own of the same trees. */
async function differences({ options }: Bench, product: MeasuredProcess, seeded: SeededMergeRequests) {
  const { gitDir, pairs } = seeded;
  const reference = await startMeasured(join(import.meta.dirname, '../harness/diff-reference-server.ts'), {
    env: { GIT_DIR: gitDir },
    output: join(OUT, 'diff-reference.log'),
    ready: '/',
  });
  const base = git(gitDir, ['rev-parse', 'main^{tree}']);
  const trees = Array.from({ length: BRANCHES.topic }, (_, at) =>
    git(gitDir, ['rev-parse', `topic-${at}^{tree}`]),
  );
  const topicOf = (iid: number) => Math.floor((iid - 1) / BRANCHES.base);
  const changes = (iid: number) => read(`/projects/${pairs.id}/merge_requests/${iid}/changes`);
  const alone = (iid: number) => read(`/projects/${pairs.id}/merge_requests/${iid}/diffs?per_page=100`);
  const diff = (iid: number) => httpRequest('GET', `/${base}/${trees[topicOf(iid)]}`);
  const random = createRandom(9);
  const often = () => 1 + Math.floor(random() * 12);
  const asked = { product: 0, alone: 0, reference: 0 };
  const another = (who: keyof typeof asked) => () => 1 + (asked[who]++ % pairs.count);
  const side = (process: MeasuredProcess, of: (iid: number) => string, iid: () => number) => ({
    process,
    load: { status: 200, connections: 1, next: () => of(iid()) },
  });
  try {
    const told = JSON.parse((await answerOf(product, changes(1))).toString()) as {
      changes: { diff: string }[];
    };
    const patch = (await answerOf(reference, diff(1))).toString();
    if (told.changes.length === 0 || !told.changes.every((change) => patch.includes(change.diff)))
      throw new Error('the sides differ');
    const measured = await compare(
      {
        again: side(product, changes, often),
        anew: side(product, changes, another('product')),
        alone: side(product, alone, another('alone')),
        diff: side(reference, diff, often),
        diffAnew: side(reference, diff, another('reference')),
      },
      { ...options, by: 'rate' },
    );
    const p50 = (rounds: Round[]) => `${median(rounds.map((round) => round.p50)).toFixed(2)} ms`;
    const row = (name: string, over: Round[], under: Round[]) =>
      result(
        28,
        `one with its difference, ${name}, against bare diff-tree`,
        { atMost: 1.5 },
        ratios(over, under, 'p50'),
        `product ${p50(over)}; diff-tree ${p50(under)}`,
      );
    return [
      row('asked for before', measured.again, measured.diff),
      row('another each time', measured.anew, measured.diffAnew),
      row('alone, another each time', measured.alone, measured.diffAnew),
    ];
  } finally {
    await reference.stop();
  }
}

/** Opens one for each pair of branches, against issues. */
async function creation({ options }: Bench, process: MeasuredProcess, { creating }: SeededMergeRequests) {
  let [issues, opened] = [0, 0];
  const post = (noun: string, body: object) =>
    httpRequest('POST', `/api/v4/projects/${creating.id}/${noun}`, rootHeaders, JSON.stringify(body));
  const text = { description: 'What it changes, in a sentence or two.', labels: 'one,two' };
  const branches = (at: number) => ({
    source_branch: `merge-${at % BRANCHES.merge}`,
    target_branch: `base-${Math.floor(at / BRANCHES.merge)}`,
  });
  const side = (next: () => string) => ({ process, load: { status: 201, connections: 1, next } });
  const { issue, request } = await compare(
    {
      issue: side(() => post('issues', { ...text, title: `Issue ${++issues}` })),
      request: side(() => post('merge_requests', { ...text, title: 'Request', ...branches(opened++) })),
    },
    { ...options, by: 'rate' },
  );
  return result(
    28,
    'opening a merge request against an issue',
    { atMost: 3 },
    ratios(request, issue, 'p50'),
    `merge request ${figures(request)}; issue ${figures(issue)}`,
  );
}
