import { z } from 'zod';
import { atLeastOne, defineEndpoint, exclusive, group, project } from '../endpoint.ts';
import {
  bool,
  date,
  datetime,
  fallback,
  hash,
  idOrPath,
  int,
  intOr,
  list,
  nullable,
  oneOf,
  required,
  text,
} from '../params.ts';
import { datetimeView, dateView, defineView, userView } from '../views.ts';
import { issueTypes } from './issue.events.ts';

/** Time stats [L69]: seconds, and in words where they are set. */
export const timeStatsView = defineView('TimeStats', {
  time_estimate: z.int().min(0),
  total_time_spent: z.int().min(0),
  human_time_estimate: z.string().nullable(),
  human_total_time_spent: z.string().nullable(),
});

/** A label within an issue, `with_labels_details=true` [L66]. */
export const labelDetailsView = defineView('LabelDetails', {
  name: z.string(),
  color: z.string(),
  description: z.string().nullable(),
  description_html: z.string(),
  text_color: z.string(),
});

/** Issue [L66]; the last members exist from Premium and Ultimate on [L26]. */
export const issueView = defineView('Issue', {
  id: z.int(),
  iid: z.int(),
  project_id: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(['opened', 'closed']),
  author: userView,
  assignees: z.array(userView),
  assignee: userView.nullable(),
  milestone: z.null(),
  labels: z.union([z.array(z.string()), z.array(labelDetailsView)]),
  type: z.enum(['ISSUE', 'INCIDENT', 'TEST_CASE']),
  issue_type: z.enum(issueTypes),
  created_at: datetimeView,
  updated_at: datetimeView,
  closed_at: datetimeView.nullable(),
  closed_by: userView.nullable(),
  moved_to_id: z.null(),
  upvotes: z.int(),
  downvotes: z.int(),
  merge_requests_count: z.int(),
  user_notes_count: z.int(),
  due_date: dateView.nullable(),
  web_url: z.string(),
  reference: z.string(),
  references: defineView('IssueReferences', { short: z.string(), relative: z.string(), full: z.string() }),
  time_stats: timeStatsView,
  has_tasks: z.boolean(),
  task_status: z.string(),
  task_completion_status: defineView('TaskCompletionStatus', { count: z.int(), completed_count: z.int() }),
  confidential: z.boolean(),
  discussion_locked: z.boolean(),
  _links: defineView('IssueLinks', {
    self: z.string(),
    notes: z.string(),
    award_emoji: z.string(),
    project: z.string(),
  }),
  weight: z.int().nullable().optional(),
  epic: z.null().optional(),
  epic_iid: z.null().optional(),
  health_status: z.null().optional(),
});

/** A single issue says too whether the caller is told of what happens to it. */
export const singleIssueView = defineView('IssueDetail', {
  ...issueView.shape,
  subscribed: z.boolean(),
});

/** Issue numbers of a project go up to this one. */
export const LARGEST_IID = 9_999_999;

const one = { id: idOrPath(), issue_iid: required(int()) };
export const issuePath = '/projects/:id/issues/:issue_iid';

/** What a filter takes and `not[...]` turns round [L256]. */
const negated = {
  assignee_id: int(),
  assignee_username: list(text({ max: 255 })),
  author_id: int(),
  author_username: text({ max: 255 }),
  iids: list(int()),
  iteration_id: int(),
  iteration_title: text({ max: 255 }),
  labels: list(text({ max: 255 })),
  milestone: text({ max: 255 }),
  weight: int(),
};

const filters = {
  ...negated,
  assignee_id: intOr('None', 'Any'),
  iteration_id: intOr('None', 'Any'),
  weight: intOr('None', 'Any'),
  confidential: bool(),
  created_after: datetime(),
  created_before: datetime(),
  updated_after: datetime(),
  updated_before: datetime(),
  due_date: oneOf('0', 'overdue', 'week', 'month', 'next_month_and_previous_two_weeks'),
  issue_type: oneOf(...issueTypes),
  my_reaction_emoji: text({ max: 255 }),
  search: text({ max: 1000 }),
  state: oneOf('all', 'opened', 'closed'),
  with_labels_details: fallback(bool(), false),
  order_by: fallback(
    oneOf(
      'created_at',
      'updated_at',
      'priority',
      'due_date',
      'relative_position',
      'label_priority',
      'milestone_due',
      'popularity',
      'weight',
    ),
    'created_at',
  ),
  sort: fallback(oneOf('asc', 'desc'), 'desc'),
  not: hash(negated),
};

// The dashed words are older spellings [L542].
const scope = oneOf('created_by_me', 'assigned_to_me', 'all', 'created-by-me', 'assigned-to-me');
const searchIn = { in: list(oneOf('title', 'description')) };
const filterRules = [
  exclusive('assignee_id', 'assignee_username'),
  exclusive('author_id', 'author_username'),
  exclusive('iteration_id', 'iteration_title'),
];

export const listIssues = defineEndpoint({
  service: 'tracker',
  // Signed in, unless everybody's issues are asked for [L237].
  access: { kind: 'anyone' },
  id: 'issue-list',
  method: 'GET',
  path: '/issues',
  summary: "The caller's own issues; with `scope=all` every issue that he may see",
  spec: 'api-v4 L241',
  params: {
    ...filters,
    ...searchIn,
    scope: fallback(scope, 'created_by_me'),
    non_archived: fallback(bool(), true),
  },
  rules: filterRules,
  pagination: 'offset',
  response: z.array(issueView),
});

export const listGroupIssues = defineEndpoint({
  service: 'tracker',
  access: group('anyone'),
  id: 'group-issue-list',
  method: 'GET',
  path: '/groups/:id/issues',
  summary: 'Issues of the projects of a group and of the groups below it',
  spec: 'api-v4 L242',
  params: { id: idOrPath(), ...filters, scope, non_archived: fallback(bool(), true) },
  rules: filterRules,
  pagination: 'offset',
  response: z.array(issueView),
});

export const listProjectIssues = defineEndpoint({
  service: 'tracker',
  access: project('anyone', { feature: 'issues' }),
  id: 'project-issue-list',
  method: 'GET',
  path: '/projects/:id/issues',
  summary: 'Issues of a project',
  spec: 'companions 2.7',
  params: { id: idOrPath(), ...filters, ...searchIn, scope },
  rules: filterRules,
  pagination: 'offset',
  response: z.array(issueView),
});

export const getIssue = defineEndpoint({
  service: 'tracker',
  access: project('anyone', { feature: 'issues' }),
  id: 'issue-get',
  method: 'GET',
  path: issuePath,
  summary: 'One issue',
  spec: 'companions 2.7',
  params: one,
  response: singleIssueView,
});

const content = {
  // Longer texts are refused in the words of the record, not of the parameter.
  description: nullable(text({ max: 2 * 1024 * 1024 })),
  issue_type: oneOf(...issueTypes),
  confidential: bool(),
  labels: list(text()),
  assignee_ids: list(int()),
  /** Deprecated for `assignee_ids`. */
  assignee_id: nullable(int()),
  milestone_id: nullable(int()),
  due_date: nullable(date()),
  weight: nullable(int({ min: 0, max: 2_147_483_647 })),
};

export const createIssue = defineEndpoint({
  service: 'tracker',
  access: project('anyone', { feature: 'issues', signedIn: true }),
  id: 'issue-create',
  method: 'POST',
  path: '/projects/:id/issues',
  summary: 'Open an issue',
  spec: 'companions 2.7',
  params: {
    id: idOrPath(),
    title: required(text()),
    ...content,
    // For administrators and owners; from others they are left aside.
    created_at: datetime(),
    iid: int({ min: 1, max: LARGEST_IID }),
  },
  status: 201,
  otherStatuses: [422],
  response: singleIssueView,
});

export const updateIssue = defineEndpoint({
  service: 'tracker',
  access: project('anyone', { feature: 'issues', signedIn: true }),
  id: 'issue-update',
  method: 'PUT',
  path: issuePath,
  summary: 'Change, close or reopen an issue',
  spec: 'companions 2.7',
  params: {
    ...one,
    title: text(),
    ...content,
    add_labels: list(text()),
    remove_labels: list(text()),
    state_event: oneOf('close', 'reopen'),
    discussion_locked: nullable(bool()),
    updated_at: datetime(),
  },
  rules: [
    atLeastOne(
      'title',
      'description',
      'assignee_id',
      'assignee_ids',
      'milestone_id',
      'labels',
      'add_labels',
      'remove_labels',
      'state_event',
      'updated_at',
      'due_date',
      'confidential',
      'discussion_locked',
      'issue_type',
      'weight',
    ),
  ],
  response: singleIssueView,
});

export const deleteIssue = defineEndpoint({
  service: 'tracker',
  access: project('anyone', { feature: 'issues', signedIn: true }),
  id: 'issue-delete',
  method: 'DELETE',
  path: issuePath,
  summary: 'Delete an issue',
  spec: 'companions 2.7',
  params: one,
  status: 204,
  otherStatuses: [412],
});

export const listRelatedMergeRequests = defineEndpoint({
  service: 'tracker',
  access: project('anyone', { feature: 'issues' }),
  id: 'issue-related-mrs',
  method: 'GET',
  path: `${issuePath}/related_merge_requests`,
  summary: 'Merge requests that mention an issue',
  spec: 'api-v4 L250',
  params: one,
  pagination: 'offset',
  // There are no merge requests yet, so there is nothing that one could look like.
  response: z.array(z.never()),
});

export const issueEndpoints = [
  listIssues,
  listGroupIssues,
  listProjectIssues,
  getIssue,
  createIssue,
  updateIssue,
  deleteIssue,
  listRelatedMergeRequests,
];
