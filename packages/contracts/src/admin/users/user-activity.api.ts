import { z } from 'zod';
import { administrator, defineEndpoint } from '../../endpoint.ts';
import { date, described } from '../../params.ts';
import { datetimeView, dateView, defineView } from '../../views.ts';
import examples from './user.examples.json' with { type: 'json' };

export const userActivityView = defineView(
  'UserActivity',
  { username: z.string(), last_activity_on: dateView, last_activity_at: datetimeView },
  examples.UserActivity,
);

export const listUserActivities = defineEndpoint({
  id: 'user-activity-list',
  service: 'admin',
  method: 'GET',
  path: '/user/activities',
  summary: 'When users last did something with a token, who did so longest ago before others',
  spec: 'companions 2.1',
  access: administrator,
  params: {
    from: described(date(), 'Only users who did something on this day or later; six months ago by default', {
      examples: ['2025-01-31'],
    }),
  },
  pagination: 'offset',
  response: z.array(userActivityView),
});

export const userActivityEndpoints = [listUserActivities];
