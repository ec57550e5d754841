import { z } from 'zod';
import { defineEndpoint, exclusive, group } from '../../endpoint.ts';
import { bool, datetime, described, fallback, hash, int, intOr, list, oneOf, text } from '../../params.ts';
import { descending, groupId, projectId } from '../../shared/common.params.ts';
import { readsMergeRequest } from './merge-request.api.ts';
import { mergeRequestView, simpleMergeRequestView } from './merge-request.views.ts';

const name = text({ max: 255 });

/** Filters that `not[...]` inverts [L267]. */
const negated = {
  labels: described(list(name), 'Labels'),
  milestone: described(name, 'Title of the milestone, `None` or `Any`'),
  author_id: described(int(), 'Id of the user who opened it'),
  author_username: described(name, 'Username of who opened it'),
  assignee_id: described(int(), 'Id of the user that it is assigned to'),
  assignee_username: described(list(name), 'Usernames that it is assigned to'),
  reviewer_id: described(int(), 'Id of the user who is asked to review it'),
  reviewer_username: described(name, 'Username of who is asked to review it'),
  my_reaction_emoji: described(name, 'Only those with this reaction of the caller'),
};

const scopes = oneOf('created_by_me', 'assigned_to_me', 'all', 'created-by-me', 'assigned-to-me');
const WHOSE = 'Whose merge requests: those that the caller opened, those assigned to the caller, or all';
const anyOf = (most: number) => list(intOr('None', 'Any'), { max: most });

const filters = {
  ...negated,
  assignee_id: described(intOr('None', 'Any'), 'Id of the user that it is assigned to, `None` or `Any`'),
  reviewer_id: described(intOr('None', 'Any'), 'Id of the user who is asked to review it, `None` or `Any`'),
  reviewer_username: described(name, 'Username of who is asked to review it, `None` or `Any`'),
  state: described(oneOf('all', 'opened', 'closed', 'locked', 'merged'), 'Only those in this state'),
  order_by: described(fallback(oneOf('created_at', 'updated_at'), 'created_at'), 'What the order goes by'),
  sort: descending,
  view: described(oneOf('simple'), 'The short form of each'),
  with_labels_details: described(fallback(bool(), false), 'Labels with their colours'),
  with_merge_status_recheck: described(
    fallback(bool(), false),
    'Taken and not used: `merge_status` is always that of now',
  ),
  created_after: described(datetime(), 'Only those opened at or after this time'),
  created_before: described(datetime(), 'Only those opened at or before this time'),
  updated_after: described(datetime(), 'Only those changed at or after this time'),
  updated_before: described(datetime(), 'Only those changed at or before this time'),
  approver_ids: described(anyOf(1000), 'Only those that all these users may approve by a rule'),
  approved_by_ids: described(anyOf(5), 'Only those that all these users have approved, `None` or `Any`'),
  source_branch: described(text({ max: 1024 }), 'Only those of this source branch'),
  target_branch: described(text({ max: 1024 }), 'Only those into this target branch'),
  search: described(text({ max: 1000 }), 'Only those whose title or description holds this'),
  in: described(list(oneOf('title', 'description')), 'Where `search` looks'),
  wip: described(oneOf('yes', 'no'), 'Only drafts, or none of them'),
  environment: described(name, 'Only those that were deployed to this environment'),
  deployed_before: described(datetime(), 'Only those that were deployed before this time'),
  deployed_after: described(datetime(), 'Only those that were deployed after this time'),
  not: described(hash(negated), 'Only those for which none of these holds'),
};
const rules = [
  exclusive('author_id', 'author_username'),
  exclusive('assignee_id', 'assignee_username'),
  exclusive('reviewer_id', 'reviewer_username'),
];

const listing = {
  rules,
  pagination: 'offset',
  response: z.array(z.union([mergeRequestView, simpleMergeRequestView])),
} as const;
const nonArchived = described(fallback(bool(), true), 'Leaves out those of archived projects');
const scope = described(scopes, WHOSE);

export const listMergeRequests = defineEndpoint({
  ...listing,
  service: 'tracker',
  access: { kind: 'user' },
  id: 'mr-list',
  method: 'GET',
  path: '/merge_requests',
  summary: "The caller's own merge requests; with `scope=all` every visible one",
  spec: 'api-v4 L264',
  params: {
    ...filters,
    scope: described(fallback(scopes, 'created_by_me'), WHOSE),
    non_archived: nonArchived,
  },
});

export const listGroupMergeRequests = defineEndpoint({
  ...listing,
  service: 'tracker',
  access: group('anyone', { signedIn: true }),
  id: 'group-mr-list',
  method: 'GET',
  path: '/groups/:id/merge_requests',
  summary: 'Merge requests of the projects of a group and of the groups below it',
  spec: 'companions 2.8',
  params: { id: groupId, ...filters, scope, non_archived: nonArchived },
});

export const listProjectMergeRequests = defineEndpoint({
  ...readsMergeRequest,
  ...listing,
  id: 'project-mr-list',
  method: 'GET',
  path: '/projects/:id/merge_requests',
  summary: 'Merge requests of a project',
  spec: 'api-v4 L265',
  params: {
    id: projectId,
    ...filters,
    scope,
    iids: described(list(int()), 'Only those of these numbers'),
  },
});

export const mergeRequestListEndpoints = [
  listMergeRequests,
  listGroupMergeRequests,
  listProjectMergeRequests,
];
