import { defineEndpoint, project } from '../../endpoint.ts';
import { described, required, text } from '../../params.ts';
import { issueIid, projectId } from '../../shared/common.params.ts';
import { issuePath, timeStatsView } from '../issues/issue.api.ts';

const one = { id: projectId, issue_iid: issueIid };
const duration = described(
  required(text({ max: 255 })),
  'Time in words, `1w 2d 3h 30m`: a month has 4 weeks, a week 5 days, a day 8 hours',
  { examples: ['1h 30m'] },
);
const common = { service: 'tracker', response: timeStatsView } as const;
const writes = { ...common, method: 'POST', access: project('reporter', { feature: 'issues' }) } as const;

export const setTimeEstimate = defineEndpoint({
  ...writes,
  id: 'issue-time-estimate',
  path: `${issuePath}/time_estimate`,
  summary: 'Set the estimate',
  spec: 'api-v4 L245',
  params: { ...one, duration },
});

export const resetTimeEstimate = defineEndpoint({
  ...writes,
  id: 'issue-reset-time-estimate',
  path: `${issuePath}/reset_time_estimate`,
  summary: 'Set the estimate to nothing',
  spec: 'api-v4 L246',
  params: one,
});

export const addSpentTime = defineEndpoint({
  ...writes,
  id: 'issue-add-spent-time',
  path: `${issuePath}/add_spent_time`,
  summary: 'Add to the time spent, or take from it',
  spec: 'api-v4 L247',
  params: {
    ...one,
    duration,
    summary: described(text({ max: 255 }), 'What the time was spent on', {
      examples: ['Looked for the cause'],
    }),
  },
  status: 201,
});

export const resetSpentTime = defineEndpoint({
  ...writes,
  id: 'issue-reset-spent-time',
  path: `${issuePath}/reset_spent_time`,
  summary: 'Set the time spent to nothing',
  spec: 'api-v4 L248',
  params: one,
});

export const getTimeStats = defineEndpoint({
  ...common,
  access: project('anyone', { feature: 'issues' }),
  id: 'issue-time-stats',
  method: 'GET',
  path: `${issuePath}/time_stats`,
  summary: 'Estimate and time spent',
  spec: 'api-v4 L249',
  params: one,
});

export const timeTrackingEndpoints = [
  setTimeEstimate,
  resetTimeEstimate,
  addSpentTime,
  resetSpentTime,
  getTimeStats,
];
