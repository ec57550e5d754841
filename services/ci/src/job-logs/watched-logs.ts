import { createLru } from '@forgelog/eventing/lru.ts';

/** Seconds between two pieces of a log, while somebody reads it and else. */
const WATCHED_S = 3;
const UNWATCHED_S = 30;
const WATCHED_FOR_MS = 60_000;
const MOST_LOGS = 10_000;

/** Knows which logs somebody reads as they grow, so that the others arrive in fewer pieces. */
export function createWatchedLogs(clock: () => Date) {
  const readAt = createLru<number, number>(MOST_LOGS);
  return {
    read: (jobId: number) => void readAt.set(jobId, clock().getTime()),
    interval(jobId: number): number {
      const last = readAt.get(jobId);
      return last !== undefined && clock().getTime() - last < WATCHED_FOR_MS ? WATCHED_S : UNWATCHED_S;
    },
  };
}
