import type { JobRow } from './jobs.collection.ts';

/** A job that no runner wants fails after a day. */
const LONGEST_PENDING_MS = 24 * 3_600_000;
/** The runner ends a job at its timeout, and needs time to say so. */
const GRACE_MS = 60_000;

type Timed = Pick<JobRow, 'status' | 'kind' | 'queuedAt' | 'startedAt' | 'timeoutSeconds'>;

/** When a job has to be looked at if it keeps its status; null for never. */
export function sweptAt(job: Timed, scheduledAt: string | null): string | null {
  const after = (time: string | null, milliseconds: number) =>
    time === null ? null : new Date(Date.parse(time) + milliseconds).toISOString();
  if (job.status === 'scheduled') return scheduledAt;
  if (job.kind !== 'build') return null;
  if (job.status === 'pending') return after(job.queuedAt, LONGEST_PENDING_MS);
  return job.status === 'running' ? after(job.startedAt, job.timeoutSeconds * 1000 + GRACE_MS) : null;
}
