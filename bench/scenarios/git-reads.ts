import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { git } from '../harness/git-plumbing.ts';
import { startMeasured } from '../harness/measured-process.ts';
import { createRepository } from '../harness/product-repository.ts';
import { createRandom } from '../harness/random.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { OUT } from '../harness/seed.ts';
import { startProduct } from '../harness/servers.ts';
import { median, type Target } from '../harness/statistics.ts';

const FILES = 300;
const COMMITS = 2_000;
const BRANCHES = 20;
/** After a push the product still projects and measures, which is no part of the next clone. */
const REST_MS = 500;

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

type Side = 'product' | 'reference';
type Remotes = Record<Side, string>;

interface Exchange {
  name: string;
  times: number;
  target: Target;
  /** Returns milliseconds. */
  run(side: Side): Promise<number>;
}

async function measure({ options }: Bench, remotes: Remotes, scratch: string) {
  const exchanges = [...fetches(remotes, scratch), ...(await repeatedClones(remotes, scratch))];
  const results = [];
  for (const { name, times, target, run } of exchanges) {
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
    const ms = (side: Side) => `${side} ${median(taken[side]).toFixed(1)} ms`;
    const detail = `${ms('product')}; ${ms('reference')}`;
    results.push(result(13, `${name} against git http-backend`, target, ratios, detail));
  }
  return results;
}

/** By stock git. No clone is asked for twice: a new branch lets each ask for another tip. */
function fetches(remotes: Remotes, scratch: string): Exchange[] {
  const source = join(scratch, 'source.git');
  const commits = git(source, ['rev-list', 'main']).split('\n');
  const made = { product: 0, reference: 0 };
  const addBranch = (side: Side): string => {
    const number = ++made[side];
    const name = `new-${number}`;
    // Between the tips of the branches that are there.
    const commit = commits[(number * 7) % commits.length]!;
    if (side === 'product') git(source, ['push', '--quiet', remotes.product, `${commit}:refs/heads/${name}`]);
    else git(join(scratch, 'reference.git'), ['update-ref', `refs/heads/${name}`, commit]);
    return name;
  };
  const cloneOf = Object.fromEntries(
    Object.entries(remotes).map(([side, remote]) => {
      const clone = join(scratch, `${side}-clone.git`);
      git(clone, ['clone', '--quiet', '--bare', remote, clone]);
      git(clone, ['config', 'remote.origin.fetch', '+refs/heads/*:refs/heads/*']);
      return [side, clone];
    }),
  ) as Remotes;
  const clone = (optionsFor: (branch: string) => string[]) => async (side: Side) => {
    const options = optionsFor(addBranch(side));
    const target = await mkdtemp(join(scratch, 'clone-'));
    await sleep(REST_MS);
    const taken = timed(() => git(target, ['clone', '--quiet', '--bare', ...options, remotes[side], target]));
    await rm(target, { recursive: true, force: true });
    return taken;
  };
  const inClone = (args: (side: Side) => string[]) => async (side: Side) =>
    timed(() => git(cloneOf[side], args(side)));
  const target = { atLeast: 0.95 };
  return [
    { name: 'fetch with nothing new', times: 8, target, run: inClone(() => ['fetch', '--quiet', 'origin']) },
    { name: 'ls-remote', times: 8, target, run: inClone((side) => ['ls-remote', '--quiet', remotes[side]]) },
    { name: 'clone', times: 1, target, run: clone(() => []) },
    {
      name: 'shallow clone',
      times: 2,
      target,
      run: clone((branch) => ['--depth', '1', '--branch', branch]),
    },
  ];
}

function timed(work: () => unknown): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

/** Without git's own work on what it gets, which is most of what a clone takes. */
async function repeatedClones(remotes: Remotes, scratch: string): Promise<Exchange[]> {
  const source = join(scratch, 'source.git');
  const tips = git(source, ['for-each-ref', '--format=%(objectname)', 'refs/heads']).split('\n');
  const packet = (line: string) => `${(line.length + 4).toString(16).padStart(4, '0')}${line}`;
  const body = (...args: string[]) => {
    const wants = [...new Set(tips)].map((tip) => `want ${tip}\n`);
    const lines = ['thin-pack', 'no-progress', 'ofs-delta', ...args, ...wants, 'done\n'];
    const head = ['command=fetch', 'object-format=sha1'].map(packet).join('');
    return `${head}0001${lines.map(packet).join('')}0000`;
  };
  const post = (body: string) => async (side: Side) => {
    const { origin, pathname, username, password } = new URL(remotes[side]);
    const begin = performance.now();
    const answer = await fetch(`${origin}${pathname}/git-upload-pack`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-git-upload-pack-request',
        'Git-Protocol': 'version=2',
        ...(username && { Authorization: `Basic ${btoa(`${username}:${password}`)}` }),
      },
      body,
    });
    let bytes = 0;
    for await (const chunk of answer.body!) bytes += chunk.length;
    if (answer.status !== 200 || bytes < 10_000) throw new Error(`${answer.status}, ${bytes} bytes`);
    return performance.now() - begin;
  };
  const exchanges = [
    { name: 'pack of the same clone again', times: 3, target: { atLeast: 4 }, run: post(body()) },
    {
      name: 'pack of the same shallow clone again',
      times: 3,
      target: { atLeast: 4 },
      run: post(body('deepen 1')),
    },
  ];
  // The first time it is made, the second time kept.
  for (const { run } of exchanges) for (const _ of [1, 2]) await run('product');
  return exchanges;
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
