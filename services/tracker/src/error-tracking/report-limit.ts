import { Rejection } from '@forgelog/contracts/errors.ts';
import { createLru } from '@forgelog/eventing/lru.ts';

const PERIOD_MS = 60_000;
/** Reports in a period by one key, of each process by itself. A program that fails ten times a second is broken. */
export const MOST_REPORTS = 600;
const KEYS = 10_000;

interface Period {
  begunAt: number;
  reports: number;
}

export interface ReportLimit {
  /** @throws Rejection 429 where the key reports too often */
  take(clientKeyId: number): void;
}

export function createReportLimit(now: () => number, mostReports = MOST_REPORTS): ReportLimit {
  const periods = createLru<number, Period>(KEYS);
  return {
    take(clientKeyId) {
      const at = now();
      let period = periods.get(clientKeyId);
      if (period === undefined || at - period.begunAt >= PERIOD_MS) {
        period = { begunAt: at, reports: 0 };
        periods.set(clientKeyId, period);
      }
      period.reports += 1;
      if (period.reports <= mostReports) return;
      const seconds = String(Math.max(1, Math.ceil((period.begunAt + PERIOD_MS - at) / 1000)));
      // SDKs read the second one: all kinds of items, as long as the key is this one.
      const headers = { 'Retry-After': seconds, 'X-Sentry-Rate-Limits': `${seconds}::key` };
      throw new Rejection('too_many_requests', undefined, headers);
    },
  };
}
