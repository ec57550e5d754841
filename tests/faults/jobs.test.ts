import { zipOf } from '@forgelog/ci/testing/sample-archive.ts';
import type { JobResponse } from '@forgelog/contracts/ci/runners/job-response.views.ts';
import { expect, test } from 'vitest';
import { callsBy, callsTo, type Reply } from '../support/calls.ts';
import { eventually } from '../support/eventually.ts';
import { faultWorld } from '../support/fault-world.ts';
import { type ProtocolRunner, registerRunner } from '../support/protocol-runner.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { verify } from '../support/verify.ts';

const LOG = 'first piece\nsecond piece\nthird piece\n';
const PIECE = 13;
const AGENTS = 3;

/** Says the same again until the server takes it, as agents do. */
async function insist(call: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await call().catch(() => undefined);
    if (reply && reply.status < 500) return reply;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function execute(runner: ProtocolRunner, job: JobResponse, archive: Buffer): Promise<void> {
  for (let sent = 0; sent < LOG.length; ) {
    const { headers } = await insist(() => runner.trace(job, sent, LOG.slice(sent, sent + PIECE)));
    sent = Number(headers.get('range')!.split('-')[1]);
  }
  expect((await insist(() => runner.upload(job, archive))).status).toBe(201);
  const ended = await insist(() =>
    runner.update(job, { state: 'success', output: { bytesize: LOG.length } }),
  );
  // A call that ended the job before the kill is told so when it is repeated.
  expect([200, 403]).toContain(ended.status);
  expect(ended.headers.get('job-status')).toBe('success');
}

test('a server killed while jobs are picked, logged, uploaded and ended runs none twice and loses none', async () => {
  const world = await faultWorld();
  const random = createRandom(faultSeed);
  const archive = await zipOf({ 'out/a.txt': 'made' });
  let server = await world.start();
  const calls = callsBy((...call) => callsTo(server.address, []).call(...call));
  const kills = faultRounds(3);
  const count = 10 * kills;

  const { body: project } = await calls.post('/projects', { name: 'built' });
  const of = `/projects/${project.id}`;
  const content = `many: {script: [make], parallel: ${count}}`;
  await calls.post(`${of}/repository/files/.gitlab-ci.yml`, {
    ...{ branch: 'main', commit_message: 'Configure', content },
  });
  const jobsOf = async (status: string) =>
    (await calls.get(`${of}/jobs?scope[]=${status}&per_page=100`)).body as { id: number }[];
  await eventually('the jobs are pending', () => jobsOf('pending'), {
    until: ({ length }) => length === count,
  });

  const got: number[] = [];
  let isKilling = true;
  async function work(): Promise<void> {
    const runner = await registerRunner(calls, project.runners_token);
    for (let idle = 0; isKilling || idle < 2; ) {
      const job = await runner.request().catch(() => null);
      idle = job === undefined ? idle + 1 : 0;
      if (!job) continue;
      got.push(job.id);
      await execute(runner, job, archive);
    }
  }
  const agents = Promise.all(Array.from({ length: AGENTS }, work));
  for (let kill = 0; kill < kills; kill += 1) {
    const before = got.length;
    await eventually('agents work', async () => got.length, { until: (now) => now > before });
    await new Promise((resolve) => setTimeout(resolve, random.below(150)));
    await server.killAll();
    server = await world.start();
  }
  isKilling = false;
  await agents;

  expect(new Set(got).size, `seed ${faultSeed}`).toBe(got.length);
  const [ended, running] = [await jobsOf('success'), await jobsOf('running')];
  expect(ended.map(({ id }) => id).sort()).toEqual(got.toSorted());
  // The answer of a pick was lost with the server: such a job fails after some time without news.
  expect(running.length).toBeLessThanOrEqual(kills * AGENTS);
  expect(ended.length + running.length).toBe(count);
  for (const { id } of ended) {
    expect((await calls.get(`${of}/jobs/${id}/trace`)).text).toBe(LOG);
    const file = await calls.get(`${of}/jobs/${id}/artifacts/out/a.txt`);
    expect([file.status, file.text]).toEqual([200, 'made']);
  }
  expect(await server.stop()).toBe(0);
  expect((await verify(world.dataDir)).problems).toEqual([]);
}, 600_000);
