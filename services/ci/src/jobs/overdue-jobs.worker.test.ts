import { getJob } from '@forgelog/contracts/ci/jobs/job.api.ts';
import { OWNER } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { jobFacts } from '../testing/sample-pipeline.ts';
import { startPipelines } from '../testing/start-pipelines.ts';
import { sweepOverdueJobs } from './overdue-jobs.worker.ts';

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;

async function start(...facts: Parameters<typeof jobFacts>[1][]) {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const { call, create, ci } = await startPipelines({ clock: () => new Date(now) });
  const pipeline = await create(facts.map((one, at) => jobFacts(`job ${at}`, one)));
  return {
    ...pipeline,
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
    sweep: () => sweepOverdueJobs(ci, new AbortController().signal),
    job: async (jobId: number) => (await call(getJob, { id: 7, job_id: jobId }, OWNER)).body,
  };
}

test('a delayed job is queued when it is due, and not before', async () => {
  const { wait, sweep, job } = await start({ when: 'delayed', startIn: 60 });
  wait(59 * SECOND_MS);
  await sweep();
  expect((await job(1)).status).toBe('scheduled');
  wait(SECOND_MS);
  await sweep();
  expect((await job(1)).status).toBe('pending');
});

test('a job that no runner wants fails after a day', async () => {
  const { wait, sweep, job } = await start({});
  wait(DAY_MS - 1);
  await sweep();
  expect((await job(1)).status).toBe('pending');
  wait(1);
  await sweep();
  expect(await job(1)).toMatchObject({ status: 'failed', failure_reason: 'stuck_or_timeout_failure' });
});

test('a job whose runner went silent fails after its timeout, and is retried if it says so', async () => {
  const { act, wait, sweep, job } = await start(
    { timeoutSeconds: 60 },
    { timeoutSeconds: 60, retry: { max: 1, when: ['job_execution_timeout'] } },
  );
  for (const jobId of [1, 2]) await act({ type: 'StartJob', jobId, runnerId: 5 });
  wait(120 * SECOND_MS);
  await sweep();
  expect(await job(1)).toMatchObject({ status: 'failed', failure_reason: 'job_execution_timeout' });
  expect((await job(2)).status).toBe('failed');
  expect(await job(3)).toMatchObject({ name: 'job 1', status: 'pending' });
});

test('two sweeps at once move a job on once, and a deleted pipeline stops none', async () => {
  const { act, wait, sweep, job } = await start(
    { when: 'delayed', startIn: 1 },
    { when: 'delayed', startIn: 1 },
  );
  wait(SECOND_MS);
  await Promise.all([sweep(), sweep()]);
  expect((await job(1)).status).toBe('pending');
  await act({ type: 'DeletePipeline' });
  wait(DAY_MS);
  await sweep();
});
