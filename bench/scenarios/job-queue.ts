import { configure, instanceToken, jobRequest, registerRunner } from '../harness/bench-runner.ts';
import { compare, figures, ratios } from '../harness/compare.ts';
import { Connection, httpRequest } from '../harness/load.ts';
import type { MeasuredProcess } from '../harness/measured-process.ts';
import { createRepository, rootHeaders } from '../harness/product-repository.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { startProduct } from '../harness/servers.ts';
import { median } from '../harness/statistics.ts';

/** Jobs of each pipeline, pending or not: what a pick costs depends on them, and is not to be measured here. */
const JOBS = 100;
/** Projects with a hundred pending jobs in all. */
const FEW = 10;
/** Jobs that a runner picks in a round. */
const PICKS = 8;

/** What runners cost that ask for jobs: those that get none, and those that get one of many. */
export const jobQueue: Scenario = {
  goals: [24],
  async run(bench: Bench) {
    return [await idlePolls(bench), await picks(bench)];
  },
};

async function idlePolls(bench: Bench) {
  const product = await startProduct(await bench.folder());
  try {
    const project = await createRepository(product, 'bench idle');
    const runner = await registerRunner(project);
    await project.call('POST', `/projects/${project.id}/issues`, { title: 'Read again and again' });
    project.close();
    const issue = httpRequest('GET', `/api/v4/projects/${project.id}/issues/1`, rootHeaders);
    const measured = await compare(
      {
        poll: { process: product, load: { status: 204, connections: 32, next: () => jobRequest(runner) } },
        cached: { process: product, load: { status: 200, connections: 32, next: () => issue } },
      },
      { ...bench.options, by: 'cpu' },
    );
    return result(
      24,
      'poll of an idle runner against a cached GET',
      { atMost: 1.5 },
      ratios(measured.poll, measured.cached, 'cpu'),
      `poll ${figures(measured.poll)}; GET ${figures(measured.cached)}`,
    );
  } finally {
    await product.stop();
  }
}

async function picks(bench: Bench) {
  const projects = bench.options.quick ? 50 : 1000;
  const sides = {
    few: await queueOf(bench, { projects: FEW, pending: JOBS / FEW }),
    many: await queueOf(bench, { projects, pending: JOBS }),
  };
  const costs = { few: [] as number[], many: [] as number[] };
  try {
    // The first pick of a pipeline reads the definitions of all its jobs; projects take turns.
    await pick(sides.few, FEW);
    await pick(sides.many, projects);
    for (let round = 0; round < bench.options.rounds; round += 1)
      for (const name of round % 2 === 0 ? (['few', 'many'] as const) : (['many', 'few'] as const))
        costs[name].push(await pick(sides[name], PICKS));
    return result(
      24,
      `a job picked among ${(projects * JOBS).toLocaleString('en')} of ${projects} projects, and among ${JOBS}`,
      { atMost: 1.3 },
      costs.many.map((cost, round) => cost / costs.few[round]!),
      `many ${(median(costs.many) / 1000).toFixed(2)} ms; few ${(median(costs.few) / 1000).toFixed(2)} ms`,
    );
  } finally {
    for (const { product } of Object.values(sides)) await product.stop();
  }
}

interface Queue {
  product: MeasuredProcess;
  runner: string;
}

/** A product with projects, some pending jobs in each. */
async function queueOf(
  { folder, tell }: Bench,
  { projects, pending }: { projects: number; pending: number },
): Promise<Queue> {
  const product = await startProduct(await folder());
  tell(`${projects * pending} pending jobs`);
  const content = `now: {script: [make], parallel: ${pending}}\n${later(JOBS - pending)}`;
  let runner = '';
  for (let at = 0; at < projects; at += 1) {
    const project = await createRepository(product, `bench queue ${at}`);
    if (at === 0) runner = await registerRunner(project, await instanceToken(project));
    await configure(project, content, pending);
    project.close();
  }
  return { product, runner };
}

const later = (jobs: number) => (jobs > 0 ? `later: {script: [make], when: manual, parallel: ${jobs}}` : '');

/** Microseconds of processor time a job. */
async function pick({ product, runner }: Queue, count: number): Promise<number> {
  const connection = await Connection.open(product.port);
  const before = await product.usage();
  for (let at = 0; at < count; at += 1) {
    const { status, body } = await connection.call(jobRequest(runner));
    if (status !== 201) throw new Error(`a request for a job: ${status} ${body}`);
  }
  const after = await product.usage();
  connection.close();
  return (after.cpu - before.cpu) / count;
}
