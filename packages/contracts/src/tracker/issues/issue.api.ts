import { z } from 'zod';
import { administrator, atLeastOne, defineEndpoint, exclusive, group, project } from '../../endpoint.ts';
import {
  bool,
  date,
  datetime,
  described,
  fallback,
  hash,
  int,
  intOr,
  list,
  nullable,
  oneOf,
  required,
  text,
} from '../../params.ts';
import { descending, groupId, projectId } from '../../shared/common.params.ts';
import { LARGEST_IID } from '../../shared/project-number.ts';
import { datetimeView, dateView, defineView, userView } from '../../views.ts';
import { iterationView } from '../iterations/iteration.api.ts';
import { milestoneView } from '../milestones/milestone.api.ts';
import { timeStatsView } from '../time-tracking/time-tracking.api.ts';
import { issueTypes } from './issue.events.ts';
import examples from './issue.examples.json' with { type: 'json' };
import { issueTarget } from './issue.target.ts';

/** A label within an issue, `with_labels_details=true` [L66]. */
export const labelDetailsView = defineView('LabelDetails', {
  name: z.string(),
  color: z.string(),
  description: z.string().nullable(),
  description_html: z.string(),
  text_color: z.string(),
});

/** The epic of an issue, for who may see it [L66]. */
const issueEpicView = defineView('IssueEpic', {
  id: z.int(),
  iid: z.int(),
  title: z.string(),
  url: z.string(),
  group_id: z.int(),
});

/** Issue [L66]; the last members exist from Premium and Ultimate on [L26]. */
export const issueView = defineView(
  'Issue',
  {
    id: z.int(),
    iid: z.int(),
    project_id: z.int(),
    title: z.string(),
    description: z.string().nullable(),
    state: z.enum(['opened', 'closed']),
    author: userView,
    assignees: z.array(userView),
    assignee: userView.nullable(),
    milestone: milestoneView.nullable(),
    labels: z.union([z.array(z.string()), z.array(labelDetailsView)]),
    type: z.enum(['ISSUE', 'INCIDENT', 'TEST_CASE']),
    issue_type: z.enum(issueTypes),
    created_at: datetimeView,
    updated_at: datetimeView,
    closed_at: datetimeView.nullable(),
    closed_by: userView.nullable(),
    moved_to_id: z.int().nullable(),
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
    epic: issueEpicView.nullable().optional(),
    epic_iid: z.int().nullable().optional(),
    iteration: iterationView.nullable().optional(),
    health_status: z.null().optional(),
  },
  examples.Issue,
);

/** Adds whether the caller is subscribed to the issue. */
export const singleIssueView = defineView(
  'IssueDetail',
  {
    ...issueView.shape,
    subscribed: z.boolean(),
  },
  examples.IssueDetail,
);

const { path: issuePath, params: one } = issueTarget;

/** Filters that `not[...]` inverts [L256]. */
const negated = {
  assignee_id: described(int(), 'Id of the user that it is assigned to'),
  assignee_username: described(list(text({ max: 255 })), 'Usernames that it is assigned to'),
  author_id: described(int(), 'Id of the user who opened it'),
  author_username: described(text({ max: 255 }), 'Username of who opened it'),
  iids: described(list(int()), 'Only issues of these numbers'),
  epic_id: described(int(), 'Id of the epic'),
  iteration_id: described(int(), 'Id of the iteration'),
  iteration_title: described(text({ max: 255 }), 'Title of the iteration, `None` or `Any` (premium)'),
  labels: described(list(text({ max: 255 })), 'Labels'),
  milestone: described(text({ max: 255 }), 'Title of the milestone, `None` or `Any`'),
  weight: described(int(), 'Weight'),
};

const filters = {
  ...negated,
  assignee_id: described(intOr('None', 'Any'), 'Id of the user that it is assigned to, `None` or `Any`'),
  epic_id: described(intOr('None', 'Any'), 'Id of the epic, `None` or `Any`'),
  iteration_id: described(intOr('None', 'Any'), 'Id of the iteration, `None` or `Any` (premium)'),
  weight: described(intOr('None', 'Any'), 'Weight, `None` or `Any`'),
  confidential: described(bool(), 'Only confidential issues, or only others'),
  created_after: described(datetime(), 'Only issues opened at or after this time'),
  created_before: described(datetime(), 'Only issues opened at or before this time'),
  updated_after: described(datetime(), 'Only issues changed at or after this time'),
  updated_before: described(datetime(), 'Only issues changed at or before this time'),
  due_date: described(
    oneOf('0', 'overdue', 'week', 'month', 'next_month_and_previous_two_weeks'),
    'Only issues due then; `0` for those without a date',
  ),
  issue_type: described(oneOf(...issueTypes), 'Only issues of this kind'),
  my_reaction_emoji: described(text({ max: 255 }), 'Only issues with this reaction of the caller'),
  search: described(text({ max: 1000 }), 'Only issues whose title or description holds this'),
  state: described(oneOf('all', 'opened', 'closed'), 'Only open or closed issues'),
  with_labels_details: described(fallback(bool(), false), 'Labels with their colours'),
  order_by: described(
    fallback(
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
    'What the order goes by',
  ),
  sort: descending,
  not: described(hash(negated), 'Only issues for which none of these holds'),
};

// The dashed words are older spellings [L542].
const scopes = oneOf('created_by_me', 'assigned_to_me', 'all', 'created-by-me', 'assigned-to-me');
const WHOSE = 'Whose issues: those that the caller opened, those assigned to the caller, or all';
const scope = described(scopes, WHOSE);
const searchIn = { in: described(list(oneOf('title', 'description')), 'Where `search` looks') };
const filterRules = [
  exclusive('assignee_id', 'assignee_username'),
  exclusive('author_id', 'author_username'),
  exclusive('iteration_id', 'iteration_title'),
];

export const listIssues = defineEndpoint({
  service: 'tracker',
  // Requires a signed-in caller, except for scope `all` [L237].
  access: { kind: 'anyone' },
  id: 'issue-list',
  method: 'GET',
  path: '/issues',
  summary: "The caller's own issues; with `scope=all` every visible issue",
  spec: 'api-v4 L241',
  params: {
    ...filters,
    ...searchIn,
    scope: described(fallback(scopes, 'created_by_me'), WHOSE),
    non_archived: described(fallback(bool(), true), 'Leaves out issues of archived projects'),
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
  params: {
    id: groupId,
    ...filters,
    scope,
    non_archived: described(fallback(bool(), true), 'Leaves out issues of archived projects'),
  },
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
  params: { id: projectId, ...filters, ...searchIn, scope },
  rules: filterRules,
  pagination: 'offset',
  response: z.array(issueView),
});

export const issueStatisticsView = defineView(
  'IssueStatistics',
  {
    statistics: defineView('IssueStatisticsOf', {
      counts: defineView('IssueCounts', { all: z.int(), closed: z.int(), opened: z.int() }),
    }),
  },
  examples.IssueStatistics,
);

const { state: _state, with_labels_details: _details, order_by: _order, sort: _sort, ...counted } = filters;
const statistics = {
  service: 'tracker',
  method: 'GET',
  spec: 'companions 2.7',
  rules: filterRules,
  response: issueStatisticsView,
} as const;

export const issueStatistics = defineEndpoint({
  ...statistics,
  // Requires a signed-in caller, except for scope `all`, as the list does.
  access: { kind: 'anyone' },
  id: 'issue-statistics',
  path: '/issues_statistics',
  summary: "How many of the caller's issues are open and closed; with `scope=all` of every visible issue",
  params: { ...counted, ...searchIn, scope: described(fallback(scopes, 'created_by_me'), WHOSE) },
});

export const groupIssueStatistics = defineEndpoint({
  ...statistics,
  access: group('anyone'),
  id: 'group-issue-statistics',
  path: '/groups/:id/issues_statistics',
  summary: 'How many issues of a group and of the groups below it are open and closed',
  params: { id: groupId, ...counted, ...searchIn, scope },
});

export const projectIssueStatistics = defineEndpoint({
  ...statistics,
  access: project('anyone', { feature: 'issues' }),
  id: 'project-issue-statistics',
  path: '/projects/:id/issues_statistics',
  summary: 'How many issues of a project are open and closed',
  params: { id: projectId, ...counted, ...searchIn, scope },
});

export const listIssueParticipants = defineEndpoint({
  service: 'tracker',
  access: project('anyone', { feature: 'issues' }),
  id: 'issue-participants',
  method: 'GET',
  path: `${issuePath}/participants`,
  summary: 'Users who opened an issue, are to act on it, or have commented on it',
  spec: 'companions 2.7',
  params: one,
  pagination: 'offset',
  response: z.array(userView),
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

export const getIssueById = defineEndpoint({
  service: 'tracker',
  access: administrator,
  id: 'issue-get-by-id',
  method: 'GET',
  path: '/issues/:id',
  summary: 'One issue of any project, by its id on the instance',
  spec: 'companions 2.7',
  params: { id: described(required(int()), 'Id of the issue, not its number in the project') },
  response: singleIssueView,
});

const content = {
  // Longer texts are refused with the record's message, not the parameter's.
  description: described(nullable(text({ max: 2 * 1024 * 1024 })), 'What it is about, in Markdown', {
    examples: ['It *stops*.'],
  }),
  issue_type: described(oneOf(...issueTypes), 'Kind of issue'),
  confidential: described(bool(), 'Whether it is confidential'),
  labels: described(list(text()), 'Labels', { examples: [['bug']] }),
  assignee_ids: described(list(int()), 'Ids of the users that it is assigned to; an empty list for nobody'),
  assignee_id: described(nullable(int()), 'The older word for `assignee_ids`, for one user'),
  milestone_id: described(nullable(int()), 'Id of a milestone of the project or a group above; 0 for none'),
  due_date: described(nullable(date()), 'Day on which it is due; null for none', {
    examples: ['2030-01-31'],
  }),
  weight: described(nullable(int({ min: 0, max: 2_147_483_647 })), 'Weight'),
  epic_id: described(nullable(int()), 'Id of an epic of a group above; 0 for none'),
  // An extension of our own: clients of the family set it by a quick action.
  iteration_id: described(nullable(int()), 'Id of an iteration of a group above; 0 for none (premium)'),
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
    id: projectId,
    title: described(required(text()), 'Title of the issue', { examples: ['The engine stops'] }),
    ...content,
    // Ignored unless the caller is an administrator or owner.
    created_at: described(datetime(), 'Time of opening instead of now, for administrators and owners'),
    iid: described(int({ min: 1, max: LARGEST_IID }), 'Number in its project, for administrators and owners'),
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
    title: described(text(), 'Title of the issue', { examples: ['The engine stops'] }),
    ...content,
    add_labels: described(list(text()), 'Labels to add'),
    remove_labels: described(list(text()), 'Labels to remove'),
    state_event: described(oneOf('close', 'reopen'), 'Closes or reopens it'),
    discussion_locked: described(nullable(bool()), 'Whether only members may comment'),
    updated_at: described(datetime(), 'Time of the change instead of now, for administrators and owners'),
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
      'epic_id',
      'iteration_id',
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

const copies = {
  service: 'tracker',
  access: project('reporter', { feature: 'issues' }),
  method: 'POST',
  spec: 'companions 2.7',
  status: 201,
  otherStatuses: [422],
  response: singleIssueView,
} as const;
const to_project_id = described(required(int()), 'Id of the other project', { examples: [5] });

export const moveIssue = defineEndpoint({
  ...copies,
  id: 'issue-move',
  path: `${issuePath}/move`,
  summary: 'Move an issue to another project in which the caller is a reporter, with what was said of it',
  params: { ...one, to_project_id },
});

const neighbour = (where: string) =>
  described(int(), `Id of the issue of the project that is to be ${where} this one`, { examples: [84] });

export const reorderIssue = defineEndpoint({
  service: 'tracker',
  access: project('reporter', { feature: 'issues' }),
  id: 'issue-reorder',
  method: 'PUT',
  path: `${issuePath}/reorder`,
  summary: 'Give an issue another place in the order that people gave the issues of the project',
  spec: 'companions 2.7',
  params: { ...one, move_after_id: neighbour('after'), move_before_id: neighbour('before') },
  rules: [atLeastOne('move_after_id', 'move_before_id')],
  response: singleIssueView,
});

export const cloneIssue = defineEndpoint({
  ...copies,
  id: 'issue-clone',
  path: `${issuePath}/clone`,
  summary: 'Open a copy of an issue in a project in which the caller is a reporter',
  params: {
    ...one,
    to_project_id,
    with_notes: described(fallback(bool(), false), 'Also what was said of it'),
  },
});

export const issueEndpoints = [
  listIssues,
  listGroupIssues,
  listProjectIssues,
  issueStatistics,
  groupIssueStatistics,
  projectIssueStatistics,
  listIssueParticipants,
  getIssue,
  getIssueById,
  createIssue,
  updateIssue,
  deleteIssue,
  moveIssue,
  cloneIssue,
  reorderIssue,
];
