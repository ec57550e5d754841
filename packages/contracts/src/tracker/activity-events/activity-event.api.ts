import { z } from 'zod';
import { anyone, defineEndpoint, project, type Scope, user } from '../../endpoint.ts';
import { date, described, idOrPath, oneOf, text } from '../../params.ts';
import { descending, projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import { noteView } from '../discussions/discussion.views.ts';
import examples from './activity-event.examples.json' with { type: 'json' };

/** Words of the `action` filter [L492]. */
export const activityActions = [
  'approved',
  'closed',
  'commented',
  'created',
  'destroyed',
  'expired',
  'joined',
  'left',
  'merged',
  'pushed',
  'reopened',
  'updated',
] as const;

/** Words of the `target_type` filter [L493]. */
export const activityTargetTypes = [
  'issue',
  'milestone',
  'merge_request',
  'note',
  'project',
  'snippet',
  'user',
] as const;

export const pushDataView = defineView('PushData', {
  commit_count: z.int(),
  action: z.enum(['created', 'removed', 'pushed']),
  ref_type: z.enum(['branch', 'tag']),
  /** null for a created or deleted ref. */
  commit_from: z.string().nullable(),
  commit_to: z.string().nullable(),
  ref: z.string(),
  commit_title: z.string().nullable(),
});

/** Activity event [L133]: `note` is set for comments, `push_data` for pushes. */
export const activityEventView = defineView(
  'ActivityEvent',
  {
    id: z.int(),
    title: z.null(),
    project_id: z.int(),
    action_name: z.string(),
    target_id: z.int().nullable(),
    target_iid: z.int().nullable(),
    target_type: z.string().nullable(),
    target_title: z.string().nullable(),
    author_id: z.int(),
    author: userView,
    author_username: z.string(),
    created_at: datetimeView,
    data: z.null(),
    note: noteView.nullable(),
    push_data: pushDataView.nullable(),
  },
  examples.ActivityEvent,
);

const filters = {
  action: described(oneOf(...activityActions), 'Only events of this kind'),
  target_type: described(oneOf(...activityTargetTypes), 'Only events about this kind of thing'),
  before: described(date(), 'Only events before this day'),
  after: described(date(), 'Only events after this day'),
  sort: descending,
};

const READING: readonly Scope[] = ['api', 'read_api', 'read_user'];

export const listEvents = defineEndpoint({
  id: 'event-list',
  service: 'tracker',
  method: 'GET',
  path: '/events',
  summary: "The caller's own events, or those of all projects of which the caller is a member",
  spec: 'api-v4 L398',
  access: user,
  scopes: READING,
  params: {
    ...filters,
    scope: described(text({ max: 255 }), "`all`: also events of others in the caller's projects"),
  },
  pagination: 'offset',
  response: z.array(activityEventView),
});

export const listUserEvents = defineEndpoint({
  id: 'user-event-list',
  service: 'tracker',
  method: 'GET',
  path: '/users/:id/events',
  summary: 'What a user did where the caller may see it',
  spec: 'api-v4 L399',
  access: anyone,
  scopes: READING,
  params: { ...filters, id: described(idOrPath(), 'Id or username') },
  pagination: 'offset',
  response: z.array(activityEventView),
});

export const listProjectEvents = defineEndpoint({
  id: 'project-event-list',
  service: 'tracker',
  method: 'GET',
  path: '/projects/:project_id/events',
  summary: 'What happened in a project',
  spec: 'api-v4 L400',
  access: project('anyone', { param: 'project_id' }),
  params: { ...filters, project_id: projectId },
  pagination: 'offset',
  response: z.array(activityEventView),
});

export const activityEventEndpoints = [listEvents, listUserEvents, listProjectEvents];
