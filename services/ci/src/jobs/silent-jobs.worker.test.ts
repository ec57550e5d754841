import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { ObjectStoreUnavailableError } from '@forgelog/object-store/object-store.ts';
import { expect, test, vi } from 'vitest';
import { archiveLog } from '../job-logs/archive-log.ts';
import { createJobNews } from '../job-logs/job-news.ts';
import { growingLogKey, newsKey } from '../objects/object-keys.ts';
import { jobFacts } from '../testing/sample-pipeline.ts';
import { startPipelines } from '../testing/start-pipelines.ts';
import { jobs } from './jobs.collection.ts';
import { silentJobs } from './silent-jobs.worker.ts';

const MINUTE_MS = 60_000;
const LONG = jobFacts('build', { timeoutSeconds: 100_000 });
const placeOf = (jobId: number) => ({ projectId: 7, pipelineId: 1, jobId });

async function start(...facts: Parameters<typeof jobFacts>[1][]) {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const { create, ci } = await startPipelines({ clock: () => new Date(now) });
  const pipeline = await create(facts.map((one) => ({ ...LONG, ...one, name: `job ${facts.indexOf(one)}` })));
  for (const at of facts.keys()) await pipeline.act({ type: 'StartJob', jobId: at + 1, runnerId: 5 });
  const sweep = silentJobs(ci);
  return {
    ...{ ci, pipeline },
    wait: (minutes: number) => {
      now += minutes * MINUTE_MS;
    },
    rowOf: async (jobId: number) => (await ci.readStore.get(jobs, jobId))!,
    sweep: () => sweep(new AbortController().signal),
    statusOf: async (jobId: number) => {
      const { status, failureReason } = (await ci.readStore.get(jobs, jobId))!;
      return failureReason === null ? status : `${status}: ${failureReason}`;
    },
  };
}

test('a running job of which nothing is heard for an hour fails, and is retried if it says so', async () => {
  const retry = { max: 1, when: ['stuck_or_timeout_failure' as const] };
  const { wait, sweep, statusOf } = await start({}, { retry });
  wait(59);
  await sweep();
  expect(await statusOf(1)).toBe('running');
  wait(2);
  await sweep();
  expect(await statusOf(1)).toBe('failed: stuck_or_timeout_failure');
  expect(await statusOf(2)).toBe('failed: stuck_or_timeout_failure');
  expect(await statusOf(3)).toBe('pending');
});

test('a piece of the log is news, and so is what a runner says to another process', async () => {
  const { ci, wait, sweep, statusOf, rowOf } = await start({}, {}, {});
  wait(30);
  await ci.objects.append(growingLogKey(placeOf(1)), 0, Buffer.from('text'));
  await createJobNews(ci).heard(await rowOf(2));
  wait(31);
  await sweep();
  expect(await Promise.all([1, 2, 3].map(statusOf))).toEqual([
    ...['running', 'running'],
    'failed: stuck_or_timeout_failure',
  ]);
  wait(30);
  await sweep();
  expect(await statusOf(1)).toBe('failed: stuck_or_timeout_failure');
});

test('news are written rarely, go with the log, and their loss fails no request', async () => {
  const { ci, rowOf, wait } = await start({});
  const job = await rowOf(1);
  const put = vi.spyOn(ci.objects, 'put');
  await ci.jobNews.heard(job);
  expect(put).not.toHaveBeenCalled();
  wait(15);
  for (let said = 0; said < 5; said += 1) await ci.jobNews.heard(job);
  expect(put).toHaveBeenCalledTimes(1);
  expect(await ci.objects.stat(newsKey(placeOf(1)))).not.toBeNull();
  await archiveLog(ci, { ...placeOf(1), iid: 1 }, SYSTEM_METADATA);
  expect(await ci.objects.stat(newsKey(placeOf(1)))).toBeNull();
  put.mockRejectedValue(new ObjectStoreUnavailableError('full'));
  wait(15);
  await ci.jobNews.heard(job);
  await ci.jobNews.heard(job);
  expect(put).toHaveBeenCalledTimes(3);
});
