import { z } from 'zod';
import { type Access, atLeastOne, defineEndpoint, group, project } from '../../endpoint.ts';
import {
  bool,
  date,
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
import examples from './milestone.examples.json' with { type: 'json' };

const fields = {
  id: z.int(),
  iid: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(['active', 'closed']),
  created_at: datetimeView,
  updated_at: datetimeView,
  due_date: dateView.nullable(),
  start_date: dateView.nullable(),
  expired: z.boolean(),
  web_url: z.string(),
};

/** Milestone of a project or, with `group_id` instead of `project_id`, of a group [companions 2.7]. */
export const milestoneView = defineView(
  'Milestone',
  { ...fields, project_id: z.int().optional(), group_id: z.int().optional() },
  examples.Milestone,
);

/** The same in releases: how many issues have it, of those that the caller may see [L63]. */
export const milestoneWithStatsView = defineView(
  'MilestoneWithStats',
  {
    ...milestoneView.shape,
    issue_stats: defineView('MilestoneIssueStats', { total: z.int(), closed: z.int() }),
  },
  examples.MilestoneWithStats,
);

/** The most characters of a title. */
export const MOST_TITLE = 255;

const title = described(
  text({ max: 4096 }),
  'Title, which no milestone of the place or of groups above has',
  {
    examples: ['1.0'],
  },
);
const attributes = {
  description: described(nullable(text()), 'What is to be reached', { examples: ['First voyage'] }),
  due_date: described(nullable(date()), 'Last day', { examples: ['2025-04-01'] }),
  start_date: described(nullable(date()), 'First day, not after the last', { examples: ['2025-03-01'] }),
};
const milestone_id = described(required(int()), 'Id of the milestone, not its number in the place');

interface Place<Where extends Params> {
  id: string;
  of: string;
  path: string;
  reads: Access;
  writes: Access;
  where: Where;
}

function milestonesOf<const Where extends Params>({ id, of, path, reads, writes, where }: Place<Where>) {
  const common = { service: 'tracker', spec: 'companions 2.7' } as const;
  const one = { ...where, milestone_id };
  return {
    list: defineEndpoint({
      ...common,
      access: reads,
      id: `${id}-list`,
      method: 'GET',
      path,
      summary: `Milestones of a ${of}, by due date and with those without one last`,
      params: {
        ...where,
        iids: described(list(int()), 'Only those with these numbers'),
        state: described(oneOf('active', 'closed'), 'Only those in this state'),
        title: described(text({ max: MOST_TITLE }), 'Only the one with this title'),
        search: described(text({ max: MOST_TITLE }), 'Only where title or description holds this'),
        include_parent_milestones: described(
          fallback(bool(), false),
          'Also milestones of the groups above; `iids` is then left out',
        ),
      },
      pagination: 'offset',
      response: z.array(milestoneView),
    }),
    get: defineEndpoint({
      ...common,
      access: reads,
      id: `${id}-get`,
      method: 'GET',
      path: `${path}/:milestone_id`,
      summary: `One milestone of a ${of}`,
      params: one,
      response: milestoneView,
    }),
    create: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-create`,
      method: 'POST',
      path,
      summary: `Create a milestone of a ${of}`,
      params: { ...where, title: required(title), ...attributes },
      status: 201,
      response: milestoneView,
    }),
    update: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-update`,
      method: 'PUT',
      path: `${path}/:milestone_id`,
      summary: `Change a milestone of a ${of}, wherever it is given`,
      params: {
        ...one,
        title,
        ...attributes,
        state_event: described(oneOf('close', 'activate'), 'Whether it is closed, or active again'),
      },
      rules: [atLeastOne('title', ...Object.keys(attributes), 'state_event')],
      response: milestoneView,
    }),
    delete: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-delete`,
      method: 'DELETE',
      path: `${path}/:milestone_id`,
      summary: `Delete a milestone of a ${of}`,
      params: one,
      status: 204,
    }),
  };
}

export const projectMilestones = milestonesOf({
  id: 'project-milestone',
  of: 'project',
  path: '/projects/:id/milestones',
  reads: project('anyone', { feature: 'issues' }),
  writes: project('reporter', { feature: 'issues' }),
  where: { id: projectId },
});

export const groupMilestones = milestonesOf({
  id: 'group-milestone',
  of: 'group',
  path: '/groups/:id/milestones',
  reads: group('anyone'),
  writes: group('reporter'),
  where: { id: groupId },
});

export const promoteMilestone = defineEndpoint({
  service: 'tracker',
  spec: 'companions 2.7',
  access: project('reporter', { feature: 'issues' }),
  id: 'project-milestone-promote',
  method: 'POST',
  path: '/projects/:id/milestones/:milestone_id/promote',
  summary: 'Make a milestone one of the group, in place of those with its title in all projects below',
  params: { id: projectId, milestone_id },
  response: milestoneView,
});

export const milestoneEndpoints = [
  ...Object.values(projectMilestones),
  ...Object.values(groupMilestones),
  promoteMilestone,
];
