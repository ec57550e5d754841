import { z } from 'zod';
import { atLeastOne, defineEndpoint, group, project } from '../../endpoint.ts';
import {
  bool,
  date,
  datetime,
  described,
  fallback,
  int,
  list,
  nullable,
  oneOf,
  type Params,
  required,
  text,
} from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { datetimeView, dateView, defineView } from '../../views.ts';
import examples from './iteration.examples.json' with { type: 'json' };

/** Iteration of a group; its state by the day: 1 upcoming, 2 current, 3 closed. `sequence` counts within its cadence. */
export const iterationView = defineView(
  'Iteration',
  {
    id: z.int(),
    iid: z.int(),
    sequence: z.int(),
    group_id: z.int(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    state: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    created_at: datetimeView,
    updated_at: datetimeView,
    start_date: dateView,
    due_date: dateView,
    web_url: z.string(),
  },
  examples.Iteration,
);

/** The most characters of a title. */
export const MOST_TITLE = 255;

const tier = 'premium';
const common = { service: 'tracker', tier } as const;
const reads = { ...common, spec: 'api-v4 L256', method: 'GET' } as const;
const own = { ...common, spec: 'beyond the specification' } as const;

const filters = {
  state: described(
    fallback(oneOf('opened', 'upcoming', 'current', 'started', 'closed', 'all'), 'all'),
    'Only iterations in this state; `opened` for upcoming and current ones, `started` is an older word for `current`',
  ),
  search: described(text({ max: 1000 }), 'Only iterations whose title holds this'),
  in: described(list(oneOf('title', 'cadence_title')), 'Where `search` looks'),
  include_ancestors: described(fallback(bool(), true), 'Also iterations of the groups above'),
  updated_after: described(datetime(), 'Only iterations changed at or after this time'),
  updated_before: described(datetime(), 'Only iterations changed at or before this time'),
};

const listOf = <const Where extends Params>(where: Where) => ({ ...where, ...filters });

export const listGroupIterations = defineEndpoint({
  ...reads,
  access: group('anyone'),
  id: 'group-iteration-list',
  path: '/groups/:id/iterations',
  summary: 'Iterations of a group and of the groups above it, by their first day',
  params: listOf({ id: groupId }),
  pagination: 'offset',
  response: z.array(iterationView),
});

export const listProjectIterations = defineEndpoint({
  ...reads,
  access: project('anyone', { feature: 'issues' }),
  id: 'project-iteration-list',
  path: '/projects/:id/iterations',
  summary: 'Iterations of the groups that a project is in, by their first day',
  params: listOf({ id: projectId }),
  pagination: 'offset',
  response: z.array(iterationView),
});

const path = '/groups/:id/iterations/:iteration_id';
const one = { id: groupId, iteration_id: described(required(int()), 'Id of the iteration of the group') };
const title = described(nullable(text({ max: 4096 })), 'Title, which no iteration of the cadence has', {
  examples: ['Calm waters'],
});
const description = described(nullable(text()), 'What is to be reached', { examples: ['First voyage'] });
const days = {
  start_date: described(date(), 'First day', { examples: ['2030-01-07'] }),
  due_date: described(date(), 'Last day, not before the first', { examples: ['2030-01-20'] }),
};

export const getIteration = defineEndpoint({
  ...own,
  access: group('anyone'),
  id: 'group-iteration-get',
  method: 'GET',
  path,
  summary: 'One iteration of a group',
  params: one,
  response: iterationView,
});

export const createIteration = defineEndpoint({
  ...own,
  access: group('reporter'),
  id: 'group-iteration-create',
  method: 'POST',
  path: '/groups/:id/iterations',
  summary: 'Add an iteration to a cadence that does not make its own',
  params: {
    id: groupId,
    cadence_id: described(required(int()), 'Id of the cadence', { examples: [7] }),
    title,
    description,
    start_date: required(days.start_date),
    due_date: required(days.due_date),
  },
  status: 201,
  response: iterationView,
});

export const updateIteration = defineEndpoint({
  ...own,
  access: group('reporter'),
  id: 'group-iteration-update',
  method: 'PUT',
  path,
  summary: 'Change an iteration; the days of those that a cadence makes stay',
  params: { ...one, title, description, ...days },
  rules: [atLeastOne('title', 'description', ...Object.keys(days))],
  response: iterationView,
});

export const deleteIteration = defineEndpoint({
  ...own,
  access: group('reporter'),
  id: 'group-iteration-delete',
  method: 'DELETE',
  path,
  summary: 'Delete an iteration of a cadence that does not make its own; its issues have none then',
  params: one,
  status: 204,
});

export const iterationEndpoints = [
  listGroupIterations,
  listProjectIterations,
  getIteration,
  createIteration,
  updateIteration,
  deleteIteration,
];
