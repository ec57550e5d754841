import { z } from 'zod';
import { type Access, defineEndpoint, group, project } from '../../endpoint.ts';
import { described, int, type Params, required } from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import { issueView } from '../issues/issue.api.ts';
import { mergeRequestView } from '../merge-requests/merge-request.views.ts';
import examples from './burndown.examples.json' with { type: 'json' };

/** What happened to an issue of a milestone, with the weight that it has now. */
export const burndownEventView = defineView(
  'BurndownEvent',
  {
    created_at: datetimeView,
    weight: z.int().nullable(),
    action: z.enum(['created', 'closed', 'reopened']),
  },
  examples.BurndownEvent,
);

/** A chart is made of all issues of its milestone at once. */
export const MOST_BURNT_ISSUES = 10_000;

interface Place<Where extends Params> {
  id: string;
  of: string;
  path: string;
  issues: Access;
  mergeRequests: Access;
  where: Where;
}

function contentsOf<const Where extends Params>({
  id,
  of,
  path,
  issues,
  mergeRequests,
  where,
}: Place<Where>) {
  const common = { service: 'tracker', method: 'GET', spec: 'companions 2.7', pagination: 'offset' } as const;
  const params = {
    ...where,
    milestone_id: described(required(int()), 'Id of the milestone, not its number in the place'),
  };
  return {
    issues: defineEndpoint({
      ...common,
      access: issues,
      id: `${id}-issues`,
      path: `${path}/:milestone_id/issues`,
      summary: `Issues that a milestone of a ${of} was given to`,
      params,
      response: z.array(issueView),
    }),
    mergeRequests: defineEndpoint({
      ...common,
      access: mergeRequests,
      id: `${id}-merge-requests`,
      path: `${path}/:milestone_id/merge_requests`,
      summary: `Merge requests that a milestone of a ${of} was given to`,
      params,
      response: z.array(mergeRequestView),
    }),
    burndown: defineEndpoint({
      ...common,
      access: issues,
      tier: 'premium',
      id: `${id}-burndown-event-list`,
      path: `${path}/:milestone_id/burndown_events`,
      summary: `When the issues of a milestone of a ${of} were opened, closed and reopened, by time`,
      params,
      response: z.array(burndownEventView),
    }),
  };
}

export const projectMilestoneContents = contentsOf({
  id: 'project-milestone',
  of: 'project',
  path: '/projects/:id/milestones',
  issues: project('anyone', { feature: 'issues' }),
  mergeRequests: project('anyone', { feature: 'merge_requests', signedIn: true }),
  where: { id: projectId },
});

export const groupMilestoneContents = contentsOf({
  id: 'group-milestone',
  of: 'group',
  path: '/groups/:id/milestones',
  issues: group('anyone'),
  mergeRequests: group('anyone', { signedIn: true }),
  where: { id: groupId },
});

export const milestoneContentEndpoints = [
  ...Object.values(projectMilestoneContents),
  ...Object.values(groupMilestoneContents),
];
