import { Rejection } from '@forgelog/contracts/errors.ts';
import { ConflictError } from '@forgelog/eventing/command-handler.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { asc, range } from '@forgelog/eventing/query.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import { actOn, type PipelineAct } from '../pipelines/pipeline-acts.ts';
import type { CiPorts } from '../ports.ts';
import { type JobRow, jobs } from './jobs.collection.ts';

type SweepPorts = Pick<CiPorts, 'readStore' | 'commands' | 'clock' | 'ids' | 'log'>;

const MOST_A_ROUND = 1000;

/**
 * Queues delayed jobs that are due, and fails jobs that no runner wants or whose runner went silent. Safe to repeat, and
 * to run in several processes: a job that has moved on stays as it is.
 */
export async function sweepOverdueJobs(ports: SweepPorts, signal: AbortSignal): Promise<void> {
  const { readStore, clock, log } = ports;
  const overdue = await readStore.find(jobs, {
    where: range('sweptAt', { lte: clock().toISOString() }),
    sort: [asc('sweptAt')],
    limit: MOST_A_ROUND,
  });
  for (const job of overdue) {
    if (signal.aborted) return;
    try {
      await actOn(ports, job, await actFor(ports, job), SYSTEM_METADATA);
    } catch (error) {
      // Deleted, or moved on by somebody else at the same time: the next round sees which.
      if (error instanceof Rejection || error instanceof ConflictError) continue;
      log.error({ err: error, jobId: job.id }, 'an overdue job was not moved on; the next sweep tries again');
    }
  }
}

async function actFor({ ids }: Pick<SweepPorts, 'ids'>, job: JobRow): Promise<PipelineAct> {
  const { id: jobId, status } = job;
  if (status === 'scheduled') return { type: 'QueueDueJob', jobId };
  const newJobId = job.retryMax > 0 ? await ids.next('job') : null;
  return status === 'running'
    ? { type: 'DropJob', jobId, from: 'running', failureReason: 'job_execution_timeout', newJobId }
    : { type: 'DropJob', jobId, from: 'pending', failureReason: 'stuck_or_timeout_failure', newJobId };
}

/** A delayed job starts within a second of its time. */
export const overdueJobSweeper = (ports: SweepPorts): Worker =>
  createSweeper(ports, 'overdue jobs', (signal) => sweepOverdueJobs(ports, signal), { everySeconds: 1 });
