import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { described, required, text } from '../../params.ts';
import { defineView } from '../../views.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { mergeRequestTarget } from '../merge-requests/merge-request.target.ts';
import type { TargetContract } from '../targets/target.ts';
import examples from './time-tracking.examples.json' with { type: 'json' };

/** Time stats [L69]: seconds, and in words where they are set. */
export const timeStatsView = defineView(
  'TimeStats',
  {
    time_estimate: z.int().min(0),
    total_time_spent: z.int().min(0),
    human_time_estimate: z.string().nullable(),
    human_total_time_spent: z.string().nullable(),
  },
  examples.TimeStats,
);

const duration = described(
  required(text({ max: 255 })),
  'Time in words, `1w 2d 3h 30m`: a month has 4 weeks, a week 5 days, a day 8 hours',
  { examples: ['1h 30m'] },
);

/** @param spec where each endpoint is specified */
export function timeTrackingEndpoints(
  { id, path, params, feature, signedIn }: TargetContract,
  spec: Record<'setEstimate' | 'resetEstimate' | 'addSpent' | 'resetSpent' | 'stats', string>,
) {
  const common = { service: 'tracker', response: timeStatsView } as const;
  const writes = { ...common, method: 'POST', access: project('reporter', { feature }) } as const;
  return {
    setEstimate: defineEndpoint({
      ...writes,
      id: `${id}-time-estimate`,
      path: `${path}/time_estimate`,
      summary: 'Set the estimate',
      spec: spec.setEstimate,
      params: { ...params, duration },
    }),
    resetEstimate: defineEndpoint({
      ...writes,
      id: `${id}-reset-time-estimate`,
      path: `${path}/reset_time_estimate`,
      summary: 'Set the estimate to nothing',
      spec: spec.resetEstimate,
      params,
    }),
    addSpent: defineEndpoint({
      ...writes,
      id: `${id}-add-spent-time`,
      path: `${path}/add_spent_time`,
      summary: 'Add to the time spent, or take from it',
      spec: spec.addSpent,
      params: {
        ...params,
        duration,
        summary: described(text({ max: 255 }), 'What the time was spent on', {
          examples: ['Looked for the cause'],
        }),
      },
      status: 201,
    }),
    resetSpent: defineEndpoint({
      ...writes,
      id: `${id}-reset-spent-time`,
      path: `${path}/reset_spent_time`,
      summary: 'Set the time spent to nothing',
      spec: spec.resetSpent,
      params,
    }),
    stats: defineEndpoint({
      ...common,
      access: project('anyone', { feature, signedIn }),
      id: `${id}-time-stats`,
      method: 'GET',
      path: `${path}/time_stats`,
      summary: 'Estimate and time spent',
      spec: spec.stats,
      params,
    }),
  };
}

export type TimeTrackingEndpoints = ReturnType<typeof timeTrackingEndpoints>;
export const issueTimeTracking = timeTrackingEndpoints(issueTarget, {
  setEstimate: 'api-v4 L245',
  resetEstimate: 'api-v4 L246',
  addSpent: 'api-v4 L247',
  resetSpent: 'api-v4 L248',
  stats: 'api-v4 L249',
});

export const mergeRequestTimeTracking = timeTrackingEndpoints(mergeRequestTarget, {
  setEstimate: 'companions 2.8',
  resetEstimate: 'companions 2.8',
  addSpent: 'companions 2.8',
  resetSpent: 'companions 2.8',
  stats: 'companions 2.8',
});
