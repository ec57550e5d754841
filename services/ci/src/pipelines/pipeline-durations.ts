import type { Job } from './pipeline-state.ts';

/** Whole seconds, never negative: clocks of servers differ. */
export const secondsBetween = (from: string, to: string): number =>
  Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 1000));

type Ran = Pick<Job, 'startedAt' | 'finishedAt'>;

/** Seconds in which at least one job ran: pauses between stages do not count, and parallel jobs count once. */
export function secondsOfWork(jobs: readonly Ran[], now: string): number {
  const runs = jobs
    .filter((job): job is Ran & { startedAt: string } => job.startedAt !== null)
    .map(({ startedAt, finishedAt }) => ({ from: Date.parse(startedAt), to: Date.parse(finishedAt ?? now) }))
    .sort((a, b) => a.from - b.from);
  let sum = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { from, to } of runs) {
    sum += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return Math.floor(sum / 1000);
}

/** In percent, rounded to two places; null if no job tells one. */
export function meanCoverage(jobs: readonly Pick<Job, 'coverage'>[]): number | null {
  const told = jobs.map(({ coverage }) => coverage).filter((coverage) => coverage !== null);
  if (told.length === 0) return null;
  return Math.round((told.reduce((sum, one) => sum + one, 0) / told.length) * 100) / 100;
}
