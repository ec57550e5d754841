import { z } from 'zod';
import { defineEndpoint, user } from '../../endpoint.ts';
import { defineView } from '../../views.ts';
import examples from './user-counts.examples.json' with { type: 'json' };

/** What waits for the caller (companions 2.2). `merge_requests` is an older name of the assigned ones. */
export const userCountsView = defineView(
  'UserCounts',
  {
    merge_requests: z.int(),
    assigned_issues: z.int(),
    assigned_merge_requests: z.int(),
    review_requested_merge_requests: z.int(),
    todos: z.int(),
  },
  examples.UserCounts,
);

export const getUserCounts = defineEndpoint({
  id: 'user-counts-get',
  service: 'tracker',
  method: 'GET',
  path: '/user_counts',
  summary: 'How many open issues, merge requests and to-do items wait for the caller',
  spec: 'companions 2.2',
  access: user,
  params: {},
  response: userCountsView,
});

export const userCountsEndpoints = [getUserCounts];
