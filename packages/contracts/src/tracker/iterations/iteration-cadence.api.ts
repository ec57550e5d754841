import { z } from 'zod';
import { atLeastOne, defineEndpoint, group } from '../../endpoint.ts';
import { bool, date, described, fallback, int, nullable, required, text } from '../../params.ts';
import { groupId } from '../../shared/common.params.ts';
import { datetimeView, dateView, defineView } from '../../views.ts';
import examples from './iteration.examples.json' with { type: 'json' };

/** Cadence: how the iterations of a group follow one another. */
export const iterationCadenceView = defineView(
  'IterationCadence',
  {
    id: z.int(),
    group_id: z.int(),
    title: z.string(),
    description: z.string().nullable(),
    start_date: dateView.nullable(),
    duration_in_weeks: z.int().nullable(),
    iterations_in_advance: z.int().nullable(),
    automatic: z.boolean(),
    active: z.boolean(),
    roll_over: z.boolean(),
    created_at: datetimeView,
    updated_at: datetimeView,
  },
  examples.IterationCadence,
);

/** A group has few cadences, since one stream holds their iterations. */
export const MOST_CADENCES = 100;

const common = { service: 'tracker', tier: 'premium', spec: 'beyond the specification' } as const;
const path = '/groups/:id/iteration_cadences';
const one = { id: groupId, cadence_id: described(required(int()), 'Id of the cadence') };

const title = described(text({ max: 4096 }), 'Title, which no cadence of the group has', {
  examples: ['Fortnights'],
});
const schedule = {
  description: described(nullable(text()), 'What it is for', { examples: ['Of the crew'] }),
  start_date: described(nullable(date()), 'First day of its first iteration; needed where it is automatic', {
    examples: ['2030-01-07'],
  }),
  duration_in_weeks: described(
    nullable(int({ min: 1, max: 4 })),
    'Weeks that an iteration takes; needed where it is automatic',
  ),
  iterations_in_advance: described(
    nullable(int({ min: 1, max: 10 })),
    'Upcoming iterations that are there at any time; needed where it is automatic',
  ),
};
const automatic = described(bool(), 'Whether it makes its iterations by itself, as the days come');
const active = described(bool(), 'Whether it goes on; otherwise nothing comes of it by itself');
const roll_over = described(bool(), 'Whether open issues of an iteration that ends go on in the next one');

export const listIterationCadences = defineEndpoint({
  ...common,
  access: group('anyone'),
  id: 'group-iteration-cadence-list',
  method: 'GET',
  path,
  summary: 'Cadences of a group, by title',
  params: { id: groupId },
  pagination: 'offset',
  response: z.array(iterationCadenceView),
});

export const getIterationCadence = defineEndpoint({
  ...common,
  access: group('anyone'),
  id: 'group-iteration-cadence-get',
  method: 'GET',
  path: `${path}/:cadence_id`,
  summary: 'One cadence of a group',
  params: one,
  response: iterationCadenceView,
});

export const createIterationCadence = defineEndpoint({
  ...common,
  access: group('reporter'),
  id: 'group-iteration-cadence-create',
  method: 'POST',
  path,
  summary: 'Create a cadence of a group, with its first iterations where it makes them by itself',
  params: {
    id: groupId,
    title: required(title),
    ...schedule,
    automatic: fallback(automatic, true),
    active: fallback(active, true),
    roll_over: fallback(roll_over, false),
  },
  status: 201,
  response: iterationCadenceView,
});

export const updateIterationCadence = defineEndpoint({
  ...common,
  access: group('reporter'),
  id: 'group-iteration-cadence-update',
  method: 'PUT',
  path: `${path}/:cadence_id`,
  summary: 'Change a cadence; iterations that are there keep their days',
  params: { ...one, title, ...schedule, automatic, active, roll_over },
  rules: [atLeastOne('title', ...Object.keys(schedule), 'automatic', 'active', 'roll_over')],
  response: iterationCadenceView,
});

export const deleteIterationCadence = defineEndpoint({
  ...common,
  access: group('reporter'),
  id: 'group-iteration-cadence-delete',
  method: 'DELETE',
  path: `${path}/:cadence_id`,
  summary: 'Delete a cadence of a group, with its iterations; their issues have none then',
  params: one,
  status: 204,
});

export const iterationCadenceEndpoints = [
  listIterationCadences,
  getIterationCadence,
  createIterationCadence,
  updateIterationCadence,
  deleteIterationCadence,
];
