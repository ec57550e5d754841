import { setTimeout as sleep } from 'node:timers/promises';
import { configure, jobRequest, registerRunner, until } from '../harness/bench-runner.ts';
import { git } from '../harness/git-plumbing.ts';
import { Connection, httpRequest } from '../harness/load.ts';
import type { MeasuredProcess } from '../harness/measured-process.ts';
import { createRepository, type ProductRepository, rootHeaders } from '../harness/product-repository.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { startProduct } from '../harness/servers.ts';
import { median } from '../harness/statistics.ts';

/** Jobs of the pipeline of each push. */
const PUSHED = 200;
const READS = 200;
const AGENTS = 32;
/** Rounds in which a fresh server compiles what it runs. */
const WARM = 5;
/** Milliseconds in which what a push leaves behind is done: sizes are measured by processes of git, a tenth of a second later. */
const REST_MS = 300;
/** Milliseconds between the reads of somebody who does not read all the time. */
const PATIENCE_MS = 10;

/** What a pusher waits for until jobs are pending, and what readers notice when a thousand jobs end at once. */
export const pipelines: Scenario = {
  goals: [26],
  async run(bench: Bench) {
    const product = await startProduct(await bench.folder());
    try {
      return [await pushes(bench, product), ...(await ends(bench, product))];
    } finally {
      await product.stop();
    }
  },
};

async function pushes(bench: Bench, product: MeasuredProcess) {
  const built = await createRepository(product, 'bench built');
  const plain = await createRepository(product, 'bench plain');
  await configure(built, `job: {script: [make], parallel: ${PUSHED}}`, PUSHED);
  await plain.commit('First', 'create', [{ path: 'README.md', content: 'plain' }]);
  const sources = {
    built: await built.mirror(await bench.folder()),
    plain: await plain.mirror(await bench.folder()),
  };
  const taken = { built: [] as number[], plain: [] as number[] };
  for (let round = -WARM; round < bench.options.rounds; round += 1)
    for (const [name, project] of Object.entries({ plain, built }) as [
      'plain' | 'built',
      ProductRepository,
    ][]) {
      const source = sources[name];
      const tree = git(source, ['rev-parse', 'main^{tree}']);
      const oid = git(source, ['commit-tree', tree, '-p', 'main', '-m', `Round ${round}`]);
      await sleep(REST_MS);
      const begin = performance.now();
      git(source, ['push', '--quiet', project.remote, `${oid}:refs/heads/round-${round + WARM}`]);
      if (name === 'built') await until(() => isPending(project, oid));
      if (round >= 0) taken[name].push(performance.now() - begin);
    }
  built.close();
  plain.close();
  return result(
    26,
    `a push until its ${PUSHED} jobs are pending, against a push without jobs`,
    { atMost: 1.3 },
    taken.built.map((ms, round) => ms / taken.plain[round]!),
    `with jobs ${median(taken.built).toFixed(0)} ms; without ${median(taken.plain).toFixed(0)} ms`,
  );
}

async function isPending({ call, id }: ProductRepository, sha: string): Promise<boolean> {
  const [pipeline] = (await call('GET', `/projects/${id}/pipelines?sha=${sha}`)) as { status: string }[];
  return pipeline?.status === 'pending';
}

interface Job {
  id: number;
  token: string;
}

async function ends(bench: Bench, product: MeasuredProcess) {
  const jobs = bench.options.quick ? 200 : 1000;
  const other = await createRepository(product, 'bench other');
  await other.call('POST', `/projects/${other.id}/issues`, { title: 'Read meanwhile' });
  other.close();
  const path = `/api/v4/projects/${other.id}/issues`;
  const readers = {
    /** Alone its answer is one that is kept. */
    hasty: { path: () => path, pause: async () => {}, ...measured() },
    /** Each answer is put together anew, alone and beside the jobs: no two reads have one address. */
    patient: { path: anew(path), pause: () => sleep(PATIENCE_MS), ...measured() },
  };
  for (let round = 0; round < Math.min(bench.options.rounds, 5); round += 1)
    for (const [name, reading] of Object.entries(readers)) {
      const running = await runningJobs(bench, product, jobs, `${name} ${round}`);
      const reader = await Connection.open(product.port);
      let left = READS;
      const calm = await latencies(reader, reading, () => left-- === 0);
      const begin = performance.now();
      let isOver = false;
      const ending = endAll(product, running).then(() => {
        isOver = true;
        reading.seconds = (performance.now() - begin) / 1000;
      });
      const busy = await latencies(reader, reading, () => isOver);
      await ending;
      reader.close();
      reading.alone.push(median(calm));
      reading.beside.push(median(busy));
    }
  const told = (reads: string, { alone, beside, seconds }: Measured) =>
    result(
      26,
      `${reads} of another project while ${jobs} jobs end at once`,
      { atMost: 2 },
      beside.map((ms, round) => ms / alone[round]!),
      `alone ${median(alone).toFixed(2)} ms; beside ${median(beside).toFixed(2)} ms; all ended in ${seconds.toFixed(1)} s`,
    );
  return [told('a list', readers.hasty), told(`a list, anew each ${PATIENCE_MS} ms,`, readers.patient)];
}

interface Measured {
  /** Milliseconds, the median of each round. */
  alone: number[];
  beside: number[];
  seconds: number;
}

const measured = (): Measured => ({ alone: [], beside: [], seconds: 0 });

function anew(path: string): () => string {
  let reads = 0;
  const begin = Date.parse('2001-01-01T00:00:00Z');
  return () => `${path}?created_after=${new Date(begin + 1000 * reads++).toISOString()}`;
}

async function runningJobs({ tell }: Bench, product: MeasuredProcess, count: number, name: string) {
  const project = await createRepository(product, `bench ends ${name}`);
  const runner = await registerRunner(project);
  const parts = Array.from({ length: count / 200 }, (_, at) => `job ${at}: {script: [make], parallel: 200}`);
  await configure(project, parts.join('\n'), count);
  project.close();
  tell(`${count} running jobs`);
  const found: Job[] = [];
  await everybody(product, async (connection) => {
    const { status, body } = await connection.call(jobRequest(runner));
    if (status === 201) found.push(JSON.parse(body.toString()) as Job);
    return status === 201;
  });
  if (found.length !== count) throw new Error(`${found.length} of ${count} jobs run`);
  return found;
}

async function endAll(product: MeasuredProcess, jobs: Job[]): Promise<void> {
  await everybody(product, async (connection) => {
    const job = jobs.pop();
    if (!job) return false;
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ token: job.token, state: 'success' });
    const { status } = await connection.call(httpRequest('PUT', `/api/v4/jobs/${job.id}`, headers, body));
    if (status !== 200) throw new Error(`PUT /jobs/${job.id}: ${status}`);
    return true;
  });
}

/** Lets so many agents act, each until there is nothing left for it. */
async function everybody(
  { port }: MeasuredProcess,
  act: (connection: Connection) => Promise<boolean>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: AGENTS }, async () => {
      const connection = await Connection.open(port);
      while (await act(connection));
      connection.close();
    }),
  );
}

/** Milliseconds of each read, until it is over. */
async function latencies(
  reader: Connection,
  { path, pause }: { path: () => string; pause: () => Promise<void> },
  isOver: () => boolean,
): Promise<number[]> {
  const taken: number[] = [];
  while (!isOver()) {
    await pause();
    const read = httpRequest('GET', path(), rootHeaders);
    const begin = performance.now();
    const { status, body } = await reader.call(read);
    if (status !== 200) throw new Error(`${status} ${body}`);
    taken.push(performance.now() - begin);
  }
  return taken;
}
