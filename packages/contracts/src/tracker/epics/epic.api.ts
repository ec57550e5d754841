import { z } from 'zod';
import { atLeastOne, defineEndpoint, exclusive, group } from '../../endpoint.ts';
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
  required,
  text,
} from '../../params.ts';
import { descending, groupId } from '../../shared/common.params.ts';
import { datetimeView, dateView, defineView, userView } from '../../views.ts';
import { labelDetailsView } from '../issues/issue.api.ts';
import examples from './epic.examples.json' with { type: 'json' };

/** Epic: an aim of a group that is larger than an issue. Its record is not in the specification. */
export const epicView = defineView(
  'Epic',
  {
    id: z.int(),
    iid: z.int(),
    group_id: z.int(),
    parent_id: z.int().nullable(),
    parent_iid: z.int().nullable(),
    title: z.string(),
    description: z.string().nullable(),
    state: z.enum(['opened', 'closed']),
    confidential: z.boolean(),
    web_url: z.string(),
    reference: z.string(),
    references: defineView('EpicReferences', { short: z.string(), relative: z.string(), full: z.string() }),
    author: userView,
    start_date: dateView.nullable(),
    start_date_is_fixed: z.boolean(),
    start_date_fixed: dateView.nullable(),
    end_date: dateView.nullable(),
    due_date: dateView.nullable(),
    due_date_is_fixed: z.boolean(),
    due_date_fixed: dateView.nullable(),
    created_at: datetimeView,
    updated_at: datetimeView,
    closed_at: datetimeView.nullable(),
    labels: z.union([z.array(z.string()), z.array(labelDetailsView)]),
    upvotes: z.int(),
    downvotes: z.int(),
    user_notes_count: z.int(),
    _links: defineView('EpicLinks', { self: z.string(), group: z.string() }),
  },
  examples.Epic,
);

const common = { service: 'tracker', tier: 'ultimate', spec: 'api-v4 L355' } as const;
const reads = { ...common, access: group('anyone') } as const;
const writes = { ...common, access: group('reporter') } as const;

const path = '/groups/:id/epics';
const one = { id: groupId, epic_iid: described(required(int()), 'Number of the epic in its group') };
const labelNames = (what: string) => described(list(text({ max: 255 })), what);

export const listEpics = defineEndpoint({
  ...reads,
  id: 'epic-list',
  method: 'GET',
  path,
  summary: 'Epics of a group and of the groups below it',
  params: {
    id: groupId,
    author_id: described(int(), 'Id of the user who opened it'),
    author_username: described(text({ max: 255 }), 'Username of who opened it'),
    labels: labelNames('Only with all of these labels; `None` for those without, `Any` for those with one'),
    with_labels_details: described(fallback(bool(), false), 'Labels with their colours'),
    order_by: described(
      fallback(oneOf('created_at', 'updated_at', 'title'), 'created_at'),
      'What the order goes by',
    ),
    sort: descending,
    search: described(text({ max: 1000 }), 'Only where title or description holds this'),
    state: described(oneOf('all', 'opened', 'closed'), 'Only open or closed epics'),
    created_after: described(datetime(), 'Only epics opened at or after this time'),
    created_before: described(datetime(), 'Only epics opened at or before this time'),
    updated_after: described(datetime(), 'Only epics changed at or after this time'),
    updated_before: described(datetime(), 'Only epics changed at or before this time'),
    include_ancestor_groups: described(fallback(bool(), false), 'Also epics of the groups above'),
    include_descendant_groups: described(fallback(bool(), true), 'Also epics of the groups below'),
  },
  rules: [exclusive('author_id', 'author_username')],
  pagination: 'offset',
  response: z.array(epicView),
});

export const getEpic = defineEndpoint({
  ...reads,
  id: 'epic-get',
  method: 'GET',
  path: `${path}/:epic_iid`,
  summary: 'One epic',
  params: one,
  response: epicView,
});

const title = described(text(), 'Title of the epic', { examples: ['Cross the ocean'] });
const content = {
  // Longer texts are refused with the record's message, not the parameter's.
  description: described(nullable(text({ max: 2 * 1024 * 1024 })), 'What it is about, in Markdown', {
    examples: ['By *sail*.'],
  }),
  labels: labelNames('Labels of the group'),
  confidential: described(bool(), 'Whether only members from reporter on see it'),
  start_date_is_fixed: described(bool(), 'Whether `start_date_fixed` is its first day'),
  start_date_fixed: described(nullable(date()), 'First day', { examples: ['2025-03-01'] }),
  due_date_is_fixed: described(bool(), 'Whether `due_date_fixed` is its last day'),
  due_date_fixed: described(nullable(date()), 'Last day', { examples: ['2025-04-01'] }),
};

export const createEpic = defineEndpoint({
  ...writes,
  id: 'epic-create',
  method: 'POST',
  path,
  summary: 'Open an epic',
  params: {
    id: groupId,
    title: required(title),
    ...content,
    created_at: described(datetime(), 'Time of opening instead of now, for administrators and owners'),
  },
  status: 201,
  otherStatuses: [422],
  response: epicView,
});

export const updateEpic = defineEndpoint({
  ...writes,
  id: 'epic-update',
  method: 'PUT',
  path: `${path}/:epic_iid`,
  summary: 'Change, close or reopen an epic',
  params: {
    ...one,
    title,
    ...content,
    add_labels: labelNames('Labels to add'),
    remove_labels: labelNames('Labels to remove'),
    state_event: described(oneOf('close', 'reopen'), 'Closes or reopens it'),
    updated_at: described(datetime(), 'Time of the change instead of now, for administrators and owners'),
  },
  rules: [
    atLeastOne('title', ...Object.keys(content), 'add_labels', 'remove_labels', 'state_event', 'updated_at'),
  ],
  response: epicView,
});

export const deleteEpic = defineEndpoint({
  ...common,
  access: group('owner'),
  id: 'epic-delete',
  method: 'DELETE',
  path: `${path}/:epic_iid`,
  summary: 'Delete an epic, with its discussions',
  params: one,
  status: 204,
  otherStatuses: [412],
});

export const epicEndpoints = [listEpics, getEpic, createEpic, updateEpic, deleteEpic];
