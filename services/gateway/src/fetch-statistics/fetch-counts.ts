import { setTimeout as sleep } from 'node:timers/promises';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import { RepositoryFetched } from '@forgelog/contracts/gateway/access-log/access-log.events.ts';
import { BEGINNING, type RecordedEvent } from '@forgelog/eventing/event.ts';
import type { FollowedLog } from '@forgelog/eventing/expiring-stream.ts';

export interface DayCount {
  date: string;
  count: number;
}

/** Counts fetches of projects by day. */
export interface FetchCounts {
  /**
   * Days on which there were some, of the last 30, the newest first.
   * @throws 503 while the access log is still being read
   */
  of(projectId: number): Promise<DayCount[]>;
}

const DAYS = 30;
const DAY_MS = 86_400_000;
const BATCH = 1_000;
/** A caller waits so long; the reading goes on for whoever asks next. */
const WAIT_MS = 5_000;

/** Counts lie in memory alone: the first call reads the access log, and later ones what came since. */
export function createFetchCounts(
  store: Pick<FollowedLog, 'readAll'>,
  clock: () => Date,
  waitMs = WAIT_MS,
): FetchCounts {
  /** Day → project id → count. */
  const counts = new Map<string, Map<number, number>>();
  let after = BEGINNING;
  let reading: Promise<void> | undefined;

  const since = () => new Date(clock().getTime() - (DAYS - 1) * DAY_MS).toISOString().slice(0, 10);

  function count({ type, data }: RecordedEvent, oldest: string): void {
    if (type !== RepositoryFetched.type) return;
    const { projectId, count: times, firstAt } = data as EventOf<typeof RepositoryFetched>['data'];
    // No window of the access log spans two days.
    const day = firstAt.slice(0, 10);
    if (day < oldest) return;
    const ofDay = counts.get(day) ?? new Map<number, number>();
    counts.set(day, ofDay.set(projectId, (ofDay.get(projectId) ?? 0) + times));
  }

  async function read(): Promise<void> {
    const oldest = since();
    for (const day of counts.keys()) if (day < oldest) counts.delete(day);
    for (;;) {
      const batch = await store.readAll({ after, limit: BATCH });
      for (const event of batch) count(event, oldest);
      after = batch.at(-1)?.position ?? after;
      if (batch.length < BATCH) return;
    }
  }

  return {
    async of(projectId) {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      const isRead = reading.then(() => true);
      const waited = new AbortController();
      const isLate = sleep(waitMs, false, { signal: waited.signal, ref: false }).catch(() => false);
      try {
        if (!(await Promise.race([isRead, isLate])))
          throw new Rejection('unavailable', { reason: 'the access log is still being read' });
      } finally {
        waited.abort();
        // Nobody waits for it any more where the caller was sent away.
        isRead.catch(() => {});
      }
      const oldest = since();
      return [...counts]
        .flatMap(([date, ofDay]) =>
          date >= oldest && ofDay.has(projectId) ? [{ date, count: ofDay.get(projectId)! }] : [],
        )
        .toSorted((a, b) => (a.date < b.date ? 1 : -1));
    },
  };
}
