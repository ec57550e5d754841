import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { configure, jobRequest, registerRunner } from '../harness/bench-runner.ts';
import { Connection } from '../harness/load.ts';
import { type MeasuredProcess, startMeasured } from '../harness/measured-process.ts';
import { createRepository } from '../harness/product-repository.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { OUT, ROOT_TOKEN } from '../harness/seed.ts';
import { startProduct } from '../harness/servers.ts';
import { median } from '../harness/statistics.ts';

const MIB = 1024 * 1024;
const SAMPLE_MS = 50;
/** As long as that of the stock agent: longer ones are searched for faster. */
const BOUNDARY = 'b'.repeat(60);
const BEGIN = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n`;
const END = `\r\n--${BOUNDARY}--\r\n`;

interface Job {
  id: number;
  token: string;
}

/** Large artifacts, to the product and to `node:http` that writes a file as durably. */
export const artifacts: Scenario = {
  goals: [25],
  async run(bench: Bench) {
    const { quick, rounds } = bench.options;
    const mebibytes = quick ? 256 : 1023;
    const product = await startProduct(await bench.folder());
    const reference = await startMeasured(join(import.meta.dirname, '../harness/file-reference-server.ts'), {
      env: { FOLDER: await bench.folder() },
      output: join(OUT, 'file-reference.log'),
      ready: '/',
    });
    try {
      const { projectId, jobs } = await runningJobs(product, rounds + 1);
      const before = (await product.usage()).anonymous;
      const most: number[] = [];
      const taken = { up: sides(), down: sides() };
      for (const [round, job] of jobs.entries()) {
        const own = `/api/v4/projects/${projectId}/jobs/${job.id}/artifacts`;
        const rounds = {
          up: {
            product: await timed(product, () =>
              upload(product, `/api/v4/jobs/${job.id}/artifacts`, job.token, mebibytes),
            ),
            reference: await timed(reference, () => upload(reference, `/${job.id}`, '', mebibytes)),
            hashing: await timed(reference, () => upload(reference, `/${job.id}/hashed`, '', mebibytes)),
          },
          down: {
            product: await timed(product, () => download(product, own)),
            reference: await timed(reference, () => download(reference, `/${job.id}`)),
            hashing: null,
          },
        };
        most.push(Math.max(rounds.up.product.most, rounds.down.product.most));
        if (round === 0) continue;
        for (const way of ['up', 'down'] as const)
          for (const side of SIDES) if (rounds[way][side]) taken[way][side].push(rounds[way][side]);
      }
      const told = (all: Taken[]) =>
        `${(mebibytes / (median(all.map(({ ms }) => ms)) / 1000)).toFixed(0)} MiB/s, ` +
        `${(median(all.map(({ cpu }) => cpu)) / 1000 / mebibytes).toFixed(2)} ms of processor time a MiB`;
      const speeds = (['up', 'down'] as const).map((way) => {
        const { product: own, reference: bare, hashing } = taken[way];
        const hashed = hashing.length > 0 ? `; reference with SHA-256 ${told(hashing)}` : '';
        return result(
          25,
          `${mebibytes} MiB of artifacts ${way} against node:http`,
          { atLeast: 0.6 },
          bare.map(({ ms }, at) => ms / own[at]!.ms),
          `product ${told(own)}; reference ${told(bare)}${hashed}`,
        );
      });
      const [first, ...later] = most;
      const memory = result(
        25,
        `most anonymous memory while ${mebibytes} MiB pass both ways, against the first time`,
        { atMost: 1.2 },
        later.map((bytes) => bytes / first!),
        `before ${mibs(before)}; the first time ${mibs(first!)}; later ${mibs(median(later))}`,
      );
      return [...speeds, memory];
    } finally {
      await Promise.all([product.stop(), reference.stop()]);
    }
  },
};

const SIDES = ['product', 'reference', 'hashing'] as const;
const sides = () => ({ product: [] as Taken[], reference: [] as Taken[], hashing: [] as Taken[] });

interface Taken {
  ms: number;
  /** Microseconds of processor time. */
  cpu: number;
  /** Bytes of anonymous memory at most. */
  most: number;
}

const mibs = (bytes: number) => `${(bytes / MIB).toFixed(0)} MiB`;

async function timed(side: MeasuredProcess, work: () => Promise<void>): Promise<Taken> {
  const before = await side.usage();
  const begin = performance.now();
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  let most = before.anonymous;
  while (!isOver) {
    await Promise.race([working, sleep(SAMPLE_MS)]);
    most = Math.max(most, (await side.usage()).anonymous);
  }
  await working;
  const ms = performance.now() - begin;
  return { ms, cpu: (await side.usage()).cpu - before.cpu, most };
}

async function runningJobs(product: MeasuredProcess, count: number) {
  const project = await createRepository(product, 'bench artifacts');
  const runner = await registerRunner(project);
  await configure(project, `job: {script: [make], parallel: ${count}, artifacts: {paths: [out/]}}`, count);
  project.close();
  const connection = await Connection.open(product.port);
  const jobs: Job[] = [];
  for (let at = 0; at < count; at += 1)
    jobs.push(JSON.parse((await connection.call(jobRequest(runner))).body.toString()) as Job);
  connection.close();
  return { projectId: project.id, jobs };
}

function* form(mebibytes: number): Generator<Buffer> {
  yield Buffer.from(BEGIN);
  const piece = Buffer.alloc(MIB / 16, 'artifact ');
  for (let at = 0; at < mebibytes * 16; at += 1) yield piece;
  yield Buffer.from(END);
}

async function upload({ port }: MeasuredProcess, path: string, token: string, mebibytes: number) {
  const length = BEGIN.length + mebibytes * MIB + END.length;
  const sent = request({ port, path, host: '127.0.0.1', method: 'POST', agent: false });
  sent.setHeader('Content-Type', `multipart/form-data; boundary=${BOUNDARY}`);
  sent.setHeader('Content-Length', length);
  if (token !== '') sent.setHeader('JOB-TOKEN', token);
  const answered = once(sent, 'response');
  await pipeline(Readable.from(form(mebibytes)), sent);
  const [response] = await answered;
  response.resume();
  if (response.statusCode !== 201) throw new Error(`POST ${path}: ${response.statusCode}`);
}

async function download({ port }: MeasuredProcess, path: string): Promise<void> {
  const headers = { 'PRIVATE-TOKEN': ROOT_TOKEN };
  const asked = request({ port, path, host: '127.0.0.1', headers, agent: false }).end();
  const [response] = await once(asked, 'response');
  if (response.statusCode !== 200) throw new Error(`GET ${path}: ${response.statusCode}`);
  for await (const _ of response) {
    // Only the time counts.
  }
}
