import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { described, int, required } from '../../params.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { iterationView } from '../iterations/iteration.api.ts';
import { mergeRequestTarget } from '../merge-requests/merge-request.target.ts';
import { milestoneView } from '../milestones/milestone.api.ts';
import { type TargetContract, targetTypes } from '../targets/target.ts';
import examples from './resource-event.examples.json' with { type: 'json' };

/** What each kind of resource event tells of its target. */
const fields = {
  id: z.int(),
  user: userView.nullable(),
  created_at: datetimeView,
  resource_type: z.enum(targetTypes),
  resource_id: z.int(),
};
const action = z.enum(['add', 'remove']);

export const stateEventView = defineView(
  'StateEvent',
  { ...fields, state: z.enum(['closed', 'reopened', 'merged']) },
  examples.StateEvent,
);

/** `label` is null where it was deleted, or where the caller may not see it. */
export const labelEventView = defineView(
  'LabelEvent',
  {
    ...fields,
    label: defineView('LabelOfEvent', {
      id: z.int(),
      name: z.string(),
      color: z.string(),
      description: z.string().nullable(),
    }).nullable(),
    action,
  },
  examples.LabelEvent,
);

/** `milestone` is null where it was deleted. */
export const milestoneEventView = defineView(
  'MilestoneEvent',
  { ...fields, milestone: milestoneView.nullable(), action },
  examples.MilestoneEvent,
);

/** `iteration` is null where it was deleted, or where the issue can no longer be in it. */
export const iterationEventView = defineView(
  'IterationEvent',
  { ...fields, iteration: iterationView.nullable(), action },
  examples.IterationEvent,
);

/** `weight` is null where it was taken away. */
export const weightEventView = defineView(
  'WeightEvent',
  {
    id: z.int(),
    user: userView.nullable(),
    created_at: datetimeView,
    issue_id: z.int(),
    weight: z.int().nullable(),
  },
  examples.WeightEvent,
);

const eventId = described(required(int()), 'Id of the event');

function resourceEventEndpoints({ id, name, path, params, feature, signedIn }: TargetContract) {
  const common = {
    service: 'tracker',
    method: 'GET',
    access: project('anyone', { feature, signedIn }),
    spec: 'companions 2.7',
  } as const;
  const endpointsOf = <View extends z.ZodType>(
    kind: string,
    response: View,
    more: { tier?: 'premium' } = {},
  ) => ({
    list: defineEndpoint({
      ...common,
      ...more,
      id: `${id}-${kind}-event-list`,
      path: `${path}/resource_${kind}_events`,
      summary: `When the ${kind} of ${name} changed, and by whom`,
      params,
      pagination: 'offset',
      response: z.array(response),
    }),
    get: defineEndpoint({
      ...common,
      ...more,
      id: `${id}-${kind}-event-get`,
      path: `${path}/resource_${kind}_events/:event_id`,
      summary: `One change of the ${kind} of ${name}`,
      params: { ...params, event_id: eventId },
      response,
    }),
  });
  return {
    state: endpointsOf('state', stateEventView),
    label: endpointsOf('label', labelEventView),
    milestone: endpointsOf('milestone', milestoneEventView),
    weight: endpointsOf('weight', weightEventView, { tier: 'premium' }),
    iteration: endpointsOf('iteration', iterationEventView, { tier: 'premium' }),
  };
}

type AllEndpoints = ReturnType<typeof resourceEventEndpoints>;
type OfIssues = 'weight' | 'iteration';
/** What has no weight and no iteration has none of their events. */
export type ResourceEventEndpoints = Omit<AllEndpoints, OfIssues> & Partial<Pick<AllEndpoints, OfIssues>>;
export const issueResourceEvents = resourceEventEndpoints(issueTarget);
const {
  weight: _weight,
  iteration: _iteration,
  ...ofMergeRequests
} = resourceEventEndpoints(mergeRequestTarget);
export const mergeRequestResourceEvents = ofMergeRequests;
