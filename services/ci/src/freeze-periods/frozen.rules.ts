import { Cron } from 'croner';
import type { FreezePeriodRow } from './freeze-periods.projection.ts';

type Period = Pick<FreezePeriodRow, 'freezeStart' | 'freezeEnd' | 'cronTimezone'>;

/** Whether a period has begun and not ended yet: jobs then have `CI_DEPLOY_FREEZE`. */
export function isFrozen(periods: readonly Period[], now: Date): boolean {
  return periods.some(({ freezeStart, freezeEnd, cronTimezone }) => {
    const start = lastBefore(freezeStart, cronTimezone, now);
    const end = lastBefore(freezeEnd, cronTimezone, now);
    return start !== undefined && (end === undefined || start > end);
  });
}

function lastBefore(expression: string, timezone: string, now: Date): Date | undefined {
  return new Cron(expression, { paused: true, timezone }).previousRuns(1, now)[0];
}
