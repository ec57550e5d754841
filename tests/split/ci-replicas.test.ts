import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { registerRunner } from '../support/protocol-runner.ts';

async function startReplicas(): Promise<Cluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'forgelog-split-'));
  // Replicas share their objects, as on S3.
  await mkdir(join(dataDir, 'objects'));
  for (const replica of ['ci-0', 'ci-1']) {
    await mkdir(join(dataDir, replica));
    await symlink(join(dataDir, 'objects'), join(dataDir, replica, 'objects'));
  }
  const cluster = await startCluster({ replicas: { ci: 2 }, dataDir });
  onTestFinished(async () => {
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return cluster;
}

const JOBS = 24;
const RUNNERS = 4;

test('each job runs once, on two replicas that hand out the same queue', async () => {
  const cluster = await startReplicas();
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

test('jobs of a resource group run one at a time, and all of them, when the replica that grants it goes', async () => {
  const cluster = await startReplicas();
  const { body: project } = await cluster.post('/projects', { name: 'deployed' });
  const of = `/projects/${project.id}`;
  const content = 'deploy: {script: [make], resource_group: production}';
  const commit = { branch: 'main', commit_message: 'Configure', content };
  await cluster.post(`${of}/repository/files/.gitlab-ci.yml`, commit);
  for (let more = 0; more < 5; more += 1) await cluster.post(`${of}/pipeline`, { ref: 'main' });
  const jobsIn = async (status: string) => (await cluster.get(`${of}/jobs?scope[]=${status}`)).body.length;
  await eventually('six jobs', () => cluster.get(`${of}/jobs`), { until: ({ body }) => body.length === 6 });
  const runners = [
    await registerRunner(cluster, project.runners_token),
    await registerRunner(cluster, project.runners_token),
  ];
  /** Calls that the replica which goes does not answer are made again. */
  const answered = async <T>(call: () => Promise<T>): Promise<T> =>
    eventually('an answer', () => call().catch(() => undefined), {
      until: (answer) => answer !== undefined,
    }) as Promise<T>;
  const nextJob = () =>
    eventually(
      'a job',
      async () =>
        (await Promise.all(runners.map((one) => answered(async () => (await one.request()) ?? null)))).filter(
          (job) => job !== null,
        ),
      {
        until: (found) => found.length > 0,
      },
    );

  for (let ended = 0; ended < 6; ended += 1) {
    const found = await nextJob();
    expect(found).toHaveLength(1);
    if (ended === 2) {
      const { ci } = cluster.replicas;
      const grants = ({ projectors }: (typeof ci)[number]) =>
        projectors.policies().find(({ policy }) => policy === 'resource-groups')!.position !== '';
      const [leader] = ci.splice(ci.findIndex(grants), 1);
      await leader!.stop();
    }
    const done = await answered(async () => {
      const { status } = await runners[0]!.update(found[0]!, { state: 'success' });
      if (status >= 500) throw new Error(`${status}`);
      return status;
    });
    expect(done).toBe(200);
  }
  expect(await answered(() => jobsIn('success'))).toBe(6);
});
