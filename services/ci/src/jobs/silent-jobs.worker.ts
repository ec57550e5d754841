import { Rejection } from '@forgelog/contracts/errors.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { ConflictError } from '@forgelog/eventing/command-handler.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import { and, eq, range } from '@forgelog/eventing/query.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import { actOn } from '../pipelines/pipeline-acts.ts';
import type { CiPorts } from '../ports.ts';
import { type JobRow, jobs } from './jobs.collection.ts';

type SweepPorts = Pick<CiPorts, 'readStore' | 'commands' | 'clock' | 'ids' | 'log' | 'jobNews'>;

const BATCH = 1000;
const MOST_REMEMBERED = 100_000;

/**
 * Fails running jobs of which nothing was heard for some time: their runner has lost them, or never knew that it had
 * them. Safe to repeat, and to run in several processes.
 */
export function silentJobs(ports: SweepPorts): (signal: AbortSignal) => Promise<void> {
  const { readStore, clock, ids, jobNews, log } = ports;
  const lookedAtNext = createLru<number, number>(MOST_REMEMBERED);

  async function isSilent({ id: jobId, startedAt, ...place }: JobRow): Promise<boolean> {
    const now = clock().getTime();
    if ((lookedAtNext.get(jobId) ?? 0) > now) return false;
    const heardAt = (await jobNews.newest({ jobId, ...place })) ?? 0;
    const silentAt = Math.max(heardAt, Date.parse(startedAt!)) + jobNews.boundMs;
    lookedAtNext.set(jobId, silentAt);
    return silentAt <= now;
  }

  async function sweepOne(job: JobRow): Promise<void> {
    if (!(await isSilent(job))) return;
    const newJobId = job.retryMax > 0 ? await ids.next('job') : null;
    const drop = { type: 'DropJob', jobId: job.id, from: 'running', newJobId } as const;
    await actOn(ports, job, { ...drop, failureReason: 'stuck_or_timeout_failure' }, SYSTEM_METADATA);
  }

  return async (signal) => {
    const before = new Date(clock().getTime() - jobNews.boundMs).toISOString();
    const old = and(eq('status', 'running'), range('startedAt', { lte: before }), eq('kind', 'build'));
    for await (const found of inBatches(readStore, jobs, { where: old, size: BATCH }))
      for (const job of found) {
        if (signal.aborted) return;
        await sweepOne(job).catch((error: unknown) => {
          // Deleted, or ended at the same time.
          if (error instanceof Rejection || error instanceof ConflictError) return;
          log.error({ err: error, jobId: job.id }, 'a silent job was not failed; the next sweep tries again');
        });
      }
  };
}

export const silentJobSweeper = (ports: SweepPorts): Worker =>
  createSweeper(ports, 'silent jobs', silentJobs(ports), { everySeconds: 60 });
