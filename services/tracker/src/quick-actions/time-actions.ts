import { humanDuration, parseDuration } from '../time-tracking/duration.ts';
import { MAX_SECONDS, timesAfter } from '../time-tracking/time-tracking.decider.ts';
import { type ActionContext, BOTH, mayBookTime, type QuickAction } from './quick-action.ts';

const booked = ({ subject, times }: ActionContext) => times.reduce(timesAfter, subject);

/** Estimates, and the time spent. */
export const timeActions: readonly QuickAction[] = [
  {
    names: ['estimate', 'estimate_time'],
    on: BOTH,
    onNew: true,
    may: mayBookTime,
    apply({ times }, argument) {
      const seconds = parseDuration(argument);
      if (seconds === null || seconds < 0 || seconds > MAX_SECONDS) return null;
      times.push({ type: 'SetTimeEstimate', seconds });
      return seconds === 0 ? 'Removed time estimate.' : `Set time estimate to ${humanDuration(seconds)}.`;
    },
  },
  {
    names: ['remove_estimate', 'remove_time_estimate'],
    on: BOTH,
    onNew: false,
    may: (context) => mayBookTime(context) && booked(context).timeEstimate > 0,
    apply({ times }) {
      times.push({ type: 'SetTimeEstimate', seconds: 0 });
      return 'Removed time estimate.';
    },
  },
  {
    names: ['spend', 'spent', 'spend_time'],
    on: BOTH,
    onNew: true,
    may: mayBookTime,
    apply(context, argument) {
      const seconds = parseDuration(argument);
      if (seconds === null || seconds === 0) return null;
      const total = booked(context).timeSpent + seconds;
      if (total < 0 || total > MAX_SECONDS) return null;
      context.times.push({ type: 'AddTimeSpent', userId: context.writer.userId, seconds, summary: null });
      const verb = seconds > 0 ? 'Added' : 'Subtracted';
      return `${verb} ${humanDuration(Math.abs(seconds))} spent time.`;
    },
  },
  {
    names: ['remove_time_spent'],
    on: BOTH,
    onNew: false,
    may: (context) => mayBookTime(context) && booked(context).timeSpent !== 0,
    apply({ times }) {
      times.push({ type: 'ResetTimeSpent' });
      return 'Removed spent time.';
    },
  },
];
