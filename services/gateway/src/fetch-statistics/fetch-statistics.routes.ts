import { Rejection } from '@forgelog/contracts/errors.ts';
import { getFetchStatistics } from '@forgelog/contracts/gateway/fetch-statistics/fetch-statistics.api.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { FetchCounts } from './fetch-counts.ts';

/** @param counts undefined where the access log is off, which nothing is counted from then */
export function fetchStatisticsRoutes(counts: FetchCounts | undefined): Implementation[] {
  return [
    implement(getFetchStatistics, async ({ project }) => {
      if (!counts) throw new Rejection('not_found', { what: 'Access Log' });
      const days = await counts.of(project.project.id);
      const total = days.reduce((sum, { count }) => sum + count, 0);
      return value({ fetches: { total, days: days.map(({ count, date }) => ({ count, date })) } });
    }),
  ];
}
