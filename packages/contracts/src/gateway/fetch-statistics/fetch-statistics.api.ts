import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { projectId } from '../../shared/common.params.ts';
import { dateView, defineView } from '../../views.ts';
import examples from './fetch-statistics.examples.json' with { type: 'json' };

export const fetchStatisticsView = defineView(
  'FetchStatistics',
  {
    fetches: defineView('Fetches', {
      total: z.int(),
      days: z.array(defineView('FetchesOfDay', { count: z.int(), date: dateView })),
    }),
  },
  examples.FetchStatistics,
);

export const getFetchStatistics = defineEndpoint({
  id: 'project-statistics',
  service: 'gateway',
  method: 'GET',
  path: '/projects/:id/statistics',
  summary: 'How often git cloned or fetched a project on each of the last 30 days, the newest first',
  spec: 'companions 2.3',
  access: project('developer', { feature: 'repository' }),
  params: { id: projectId },
  response: fetchStatisticsView,
});

export const fetchStatisticsEndpoints = [getFetchStatistics];
