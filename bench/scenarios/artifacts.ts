import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { configure, jobRequest, registerRunner } from '../harness/bench-runner.ts';
import { Connection } from '../harness/load.ts';
import { type MeasuredProcess, startMeasured } from '../harness/measured-process.ts';
import { createRepository } from '../harness/product-repository.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { OUT, ROOT_TOKEN } from '../harness/seed.ts';
import { startProduct } from '../harness/servers.ts';
import { median } from '../harness/statistics.ts';

const MIB = 1024 * 1024;
const BOUNDARY = 'x-boundary';
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
    const mebibytes = quick ? 64 : 1023;
    const product = await startProduct(await bench.folder());
    const reference = await startMeasured(join(import.meta.dirname, '../harness/file-reference-server.ts'), {
      env: { FOLDER: await bench.folder() },
      output: join(OUT, 'file-reference.log'),
      ready: '/',
    });
    try {
      const { projectId, jobs } = await runningJobs(product, rounds + 1);
      const before = (await product.usage()).anonymous;
      let most = before;
      const taken = { up: pair(), down: pair() };
      for (const [round, job] of jobs.entries()) {
        const ms = {
          up: {
            product: await upload(product, `/api/v4/jobs/${job.id}/artifacts`, job.token, mebibytes),
            reference: await upload(reference, `/${job.id}`, '', mebibytes),
          },
          down: {
            product: await download(product, `/api/v4/projects/${projectId}/jobs/${job.id}/artifacts`),
            reference: await download(reference, `/${job.id}`),
          },
        };
        most = Math.max(most, (await product.usage()).anonymous);
        if (round === 0) continue;
        for (const way of ['up', 'down'] as const)
          for (const side of ['product', 'reference'] as const) taken[way][side].push(ms[way][side]);
      }
      const growth = `memory ${((most - before) / MIB).toFixed(0)} MiB more`;
      return (['up', 'down'] as const).map((way) => {
        const { product: own, reference: bare } = taken[way];
        const rate = (all: number[]) => `${(mebibytes / (median(all) / 1000)).toFixed(0)} MiB/s`;
        return result(
          25,
          `${mebibytes} MiB of artifacts ${way} against node:http`,
          { atLeast: 0.6 },
          bare.map((ms, at) => ms / own[at]!),
          `product ${rate(own)}; reference ${rate(bare)}; ${growth}`,
        );
      });
    } finally {
      await Promise.all([product.stop(), reference.stop()]);
    }
  },
};

const pair = () => ({ product: [] as number[], reference: [] as number[] });

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

/** Milliseconds. */
async function upload({ port }: MeasuredProcess, path: string, token: string, mebibytes: number) {
  const begin = performance.now();
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
  return performance.now() - begin;
}

/** Milliseconds. */
async function download({ port }: MeasuredProcess, path: string): Promise<number> {
  const begin = performance.now();
  const headers = { 'PRIVATE-TOKEN': ROOT_TOKEN };
  const asked = request({ port, path, host: '127.0.0.1', headers, agent: false }).end();
  const [response] = await once(asked, 'response');
  if (response.statusCode !== 200) throw new Error(`GET ${path}: ${response.statusCode}`);
  for await (const _ of response) {
    // Only the time counts.
  }
  return performance.now() - begin;
}
