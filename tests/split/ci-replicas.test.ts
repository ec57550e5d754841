import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { registerRunner } from '../support/protocol-runner.ts';

let cluster: Cluster;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'forgelog-split-'));
  // Replicas share their objects, as on S3.
  await mkdir(join(dataDir, 'objects'));
  for (const replica of ['ci-0', 'ci-1']) {
    await mkdir(join(dataDir, replica));
    await symlink(join(dataDir, 'objects'), join(dataDir, replica, 'objects'));
  }
  cluster = await startCluster({ replicas: { ci: 2 }, dataDir });
});
afterAll(async () => {
  await cluster.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const JOBS = 24;
const RUNNERS = 4;

test('each job runs once, on two replicas that hand out the same queue', async () => {
  const { body: project } = await cluster.post('/projects', { name: 'built' });
  const of = `/projects/${project.id}`;
  const content = `many: {script: [make], parallel: ${JOBS}}`;
  const commit = { branch: 'main', commit_message: 'Configure', content };
  await cluster.post(`${of}/repository/files/.gitlab-ci.yml`, commit);
  await eventually('the jobs are pending', () => cluster.get(`${of}/jobs?scope[]=pending&per_page=100`), {
    until: ({ body }) => body.length === JOBS,
  });
  const ran: number[] = [];
  async function work(at: number) {
    const runner = await registerRunner(cluster, project.runners_token, { description: `runner ${at}` });
    for (let idle = 0; idle < 3; ) {
      const job = await runner.request();
      if (!job) {
        idle += 1;
        continue;
      }
      ran.push(job.id);
      // Each piece may come to the other replica.
      await runner.trace(job, 0, 'first ');
      await runner.trace(job, 6, 'second');
      expect((await runner.update(job, { state: 'success', output: { bytesize: 12 } })).status).toBe(200);
    }
  }
  await Promise.all(Array.from({ length: RUNNERS }, (_, at) => work(at)));
  expect(new Set(ran).size).toBe(ran.length);
  expect(ran).toHaveLength(JOBS);
  const started = (await cluster.store.readAll({ after: '', limit: 100_000 })).filter(
    ({ type }) => type === 'JobStarted',
  );
  expect(started).toHaveLength(JOBS);
  const { body: jobs } = await cluster.get(`${of}/jobs?scope[]=success&per_page=100`);
  expect(jobs).toHaveLength(JOBS);
  for (const { id } of jobs) expect((await cluster.get(`${of}/jobs/${id}/trace`)).text).toBe('first second');
  const { body: pipelines } = await cluster.get(`${of}/pipelines`);
  expect(pipelines).toMatchObject([{ status: 'success' }]);
});
