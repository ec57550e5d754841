import { join } from 'node:path';
import { compare, figures, ratios } from '../harness/compare.ts';
import { commitByPlumbing, git } from '../harness/git-plumbing.ts';
import { httpRequest } from '../harness/load.ts';
import { type MeasuredProcess, startMeasured } from '../harness/measured-process.ts';
import { createRepository, rootHeaders } from '../harness/product-repository.ts';
import { createRandom } from '../harness/random.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { OUT } from '../harness/seed.ts';
import { startProduct } from '../harness/servers.ts';
import { median } from '../harness/statistics.ts';

const FILES = 200;
const COMMITS = 10;
const PIPELINED = 16;

/** Repository reads and commits, against git processes on the same contents. */
export const repository: Scenario = {
  goals: [11, 14],
  async run(bench: Bench) {
    const { folder } = await bench.copy();
    const product = await startProduct(folder);
    const project = await createRepository(product, 'bench files');
    const { id, call } = project;
    const files = Array.from({ length: FILES }, (_, at) => ({
      path: `src/file-${at}.txt`,
      content: text(at),
    }));
    await project.commit('files', 'create', files);
    const gitDir = await project.mirror(await bench.folder());
    const reference = await startMeasured(join(import.meta.dirname, '../harness/git-reference-server.ts'), {
      env: { GIT_DIR: gitDir },
      output: join(OUT, 'git-reference.log'),
      ready: `/${git(gitDir, ['rev-parse', 'main:src/file-0.txt'])}`,
    });
    try {
      const results = await reads(bench, { product, reference, gitDir, id });
      const index = join(await bench.folder(), 'index');
      return [...results, await commits(bench, { gitDir, index, call, id })];
    } finally {
      project.close();
      await Promise.all([product.stop(), reference.stop()]);
    }
  },
};

const text = (seed: number): string => {
  const random = createRandom(seed + 1);
  return Array.from({ length: 60 }, () => `${random()} ${random()}\n`).join('');
};

interface Place {
  product: MeasuredProcess;
  reference: MeasuredProcess;
  gitDir: string;
  id: number;
}

async function reads({ options }: Bench, { product, reference, gitDir, id }: Place) {
  const names = git(gitDir, ['ls-tree', '-r', 'main']).split('\n');
  const blobs = names.map((line) => line.split(/\s/) as [string, string, string, string]);
  const random = createRandom(5);
  const one = () => blobs[Math.floor(random() * blobs.length)]!;
  const api = (path: string) => httpRequest('GET', `/api/v4/projects/${id}/repository/${path}`, rootHeaders);
  const side = (process: MeasuredProcess, connections: number, next: () => string) => ({
    process,
    load: { status: 200, connections, next },
  });
  const { raw, cat } = await compare(
    {
      raw: side(product, PIPELINED, () => api(`files/${encodeURIComponent(one()[3])}/raw?ref=main`)),
      cat: side(reference, PIPELINED, () => httpRequest('GET', `/${one()[2]}`)),
    },
    { ...options, by: 'rate' },
  );
  return [
    result(
      11,
      'GET raw file against bare cat-file',
      { atLeast: 0.65 },
      ratios(raw, cat, 'rate'),
      `cat-file ${figures(cat)}; product ${figures(raw)}`,
    ),
  ];
}

async function commits(
  { options }: Bench,
  place: {
    gitDir: string;
    index: string;
    id: number;
    call: (method: string, path: string, body: object) => Promise<unknown>;
  },
) {
  const through: number[] = [];
  const plumbing: number[] = [];
  let number = 0;
  const timed = async (one: (path: string) => unknown) => {
    const begin = performance.now();
    for (let at = 0; at < COMMITS; at += 1) await one(`new/file-${++number}.txt`);
    return (performance.now() - begin) / COMMITS;
  };
  for (let round = -1; round < options.rounds; round += 1) {
    const api = await timed((path) =>
      place.call('POST', `/projects/${place.id}/repository/files/${encodeURIComponent(path)}`, {
        branch: 'main',
        commit_message: path,
        content: 'content\n',
      }),
    );
    const processes = await timed((path) => commitByPlumbing(place.gitDir, place.index, path, 'content\n'));
    if (round < 0) continue;
    through.push(api);
    plumbing.push(processes);
  }
  const ratio = plumbing.map((time, round) => time / through[round]!);
  const detail = `plumbing ${median(plumbing).toFixed(1)} ms; product ${median(through).toFixed(1)} ms`;
  return result(14, 'commit of one file against six processes', { atLeast: 3 }, ratio, detail);
}
