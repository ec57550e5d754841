import { timeStatsView } from '@forgelog/contracts/tracker/time-tracking/time-tracking.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived } from '@forgelog/service-kit/view-parts.ts';
import { humanDuration } from './duration.ts';

/** The columns of a row that has times, in seconds. */
interface TimedRow {
  timeEstimate: number | null;
  timeSpent: number | null;
}

/** Time stats [L69]: seconds, and in words where they are set. */
export const timeStatsJson = implementView(timeStatsView).from<TimedRow>({
  time_estimate: 'timeEstimate',
  total_time_spent: 'timeSpent',
  human_time_estimate: derived(['timeEstimate'], humanDuration),
  human_total_time_spent: derived(['timeSpent'], humanDuration),
});
