import { z } from 'zod';
import { administrator, defineEndpoint } from '../../endpoint.ts';
import { defineView } from '../../views.ts';
import examples from './statistics.examples.json' with { type: 'json' };

const count = z.string().regex(/^\d+$/);

/** How much the instance has (companions 2.11): each count is a text of digits. */
export const statisticsView = defineView(
  'ApplicationStatistics',
  {
    forks: count,
    issues: count,
    merge_requests: count,
    notes: count,
    snippets: count,
    ssh_keys: count,
    milestones: count,
    users: count,
    groups: count,
    projects: count,
    active_users: count,
  },
  examples.ApplicationStatistics,
);

export const getStatistics = defineEndpoint({
  id: 'application-statistics-get',
  service: 'tracker',
  method: 'GET',
  path: '/application/statistics',
  summary: 'How much the instance has of what people make',
  spec: 'companions 2.11',
  access: administrator,
  params: {},
  response: statisticsView,
});

export const statisticsEndpoints = [getStatistics];
