import { z } from 'zod';
import { defineEndpoint, group, user } from '../endpoint.ts';
import {
  bool,
  fallback,
  file,
  idOrPath,
  int,
  list,
  nullable,
  oneOf,
  oneOfInts,
  required,
  text,
  textHash,
} from '../params.ts';
import { anyProjectView } from '../repo/project.views.ts';
import { messageView } from '../views.ts';
import { groupDetailView, groupView } from './group.views.ts';

const one = { id: idOrPath() };
const visible = group('anyone');

/** Filters of every listing of groups [L420-L422]. */
const listing = {
  skip_groups: list(int()),
  /** By default true for administrators and false for other users. */
  all_available: bool(),
  search: text(),
  sort: fallback(oneOf('asc', 'desc'), 'asc'),
  statistics: bool(),
  with_custom_attributes: bool(),
  owned: bool(),
  min_access_level: oneOfInts(5, 10, 20, 30, 40, 50),
  custom_attributes: textHash(),
};

export const listGroups = defineEndpoint({
  id: 'group-list',
  service: 'admin',
  method: 'GET',
  path: '/groups',
  summary:
    'Groups: the own ones, with `all_available` all that may be seen; to anonymous callers public ones',
  spec: 'api-v4 L420',
  access: { kind: 'anyone' },
  params: {
    ...listing,
    order_by: fallback(oneOf('name', 'path', 'id', 'similarity'), 'name'),
    top_level_only: bool(),
  },
  pagination: 'offset',
  response: z.array(groupView),
});

const below = {
  service: 'admin',
  method: 'GET',
  access: visible,
  params: { ...one, ...listing, order_by: fallback(oneOf('name', 'path', 'id'), 'name') },
  pagination: 'offset',
  response: z.array(groupView),
} as const;

export const listSubgroups = defineEndpoint({
  ...below,
  id: 'group-subgroup-list',
  path: '/groups/:id/subgroups',
  summary: 'Direct subgroups; `search` looks at paths alone',
  spec: 'api-v4 L421',
});

export const listDescendantGroups = defineEndpoint({
  ...below,
  id: 'group-descendant-list',
  path: '/groups/:id/descendant_groups',
  summary: 'Subgroups of every depth; `search` looks at paths alone',
  spec: 'api-v4 L422',
});

/** Filters of the listings of a group's projects [L423, L424]; the repo service applies them. */
const projectListing = {
  archived: bool(),
  visibility: oneOf('public', 'internal', 'private'),
  order_by: fallback(
    oneOf('id', 'name', 'path', 'created_at', 'updated_at', 'similarity', 'last_activity_at'),
    'created_at',
  ),
  sort: fallback(oneOf('asc', 'desc'), 'desc'),
  search: text(),
  simple: bool(),
  owned: bool(),
  starred: bool(),
  with_issues_enabled: fallback(bool(), false),
  with_merge_requests_enabled: fallback(bool(), false),
  min_access_level: oneOfInts(10, 20, 30, 40, 50),
  with_custom_attributes: bool(),
};

export const listGroupProjects = defineEndpoint({
  id: 'group-project-list',
  service: 'admin',
  method: 'GET',
  path: '/groups/:id/projects',
  summary: 'Projects of a group',
  spec: 'api-v4 L423',
  access: visible,
  params: {
    ...one,
    ...projectListing,
    with_shared: fallback(bool(), true),
    include_subgroups: fallback(bool(), false),
    with_security_reports: fallback(bool(), false),
  },
  pagination: 'offset',
  response: z.array(anyProjectView),
});

export const listSharedProjects = defineEndpoint({
  id: 'group-shared-project-list',
  service: 'admin',
  method: 'GET',
  path: '/groups/:id/projects/shared',
  summary: 'Projects that are shared with a group',
  spec: 'api-v4 L424',
  access: visible,
  params: { ...one, ...projectListing },
  pagination: 'offset',
  response: z.array(anyProjectView),
});

export const getGroup = defineEndpoint({
  id: 'group-get',
  service: 'admin',
  method: 'GET',
  path: '/groups/:id',
  summary: 'One group with its projects, at most 100 of them',
  spec: 'companions 2.4',
  access: visible,
  params: { ...one, with_projects: fallback(bool(), true), with_custom_attributes: bool() },
  response: groupDetailView,
});

/** Of create and update alike. */
const attributes = {
  description: text(),
  visibility: oneOf('private', 'internal', 'public'),
  share_with_group_lock: bool(),
  require_two_factor_authentication: bool(),
  two_factor_grace_period: int({ min: 0 }),
  project_creation_level: oneOf('noone', 'maintainer', 'developer'),
  auto_devops_enabled: nullable(bool()),
  subgroup_creation_level: oneOf('owner', 'maintainer'),
  emails_disabled: nullable(bool()),
  mentions_disabled: nullable(bool()),
  lfs_enabled: bool(),
  request_access_enabled: bool(),
  default_branch_protection: oneOfInts(0, 1, 2, 3),
  /** Images are not stored: see the routes. */
  avatar: nullable(file()),
};

export const createGroup = defineEndpoint({
  id: 'group-create',
  service: 'admin',
  method: 'POST',
  path: '/groups',
  summary: 'Create a group or, with `parent_id`, a subgroup; its creator becomes its owner',
  spec: 'companions 2.4',
  access: user,
  params: { name: required(text()), path: required(text()), parent_id: int(), ...attributes },
  status: 201,
  response: groupDetailView,
});

export const updateGroup = defineEndpoint({
  id: 'group-update',
  service: 'admin',
  method: 'PUT',
  path: '/groups/:id',
  summary: 'Change a group',
  spec: 'companions 2.4',
  access: group('owner'),
  params: {
    ...one,
    name: text(),
    path: text(),
    ...attributes,
    shared_runners_setting: oneOf('enabled', 'disabled_with_override', 'disabled_and_unoverridable'),
  },
  response: groupDetailView,
});

export const deleteGroup = defineEndpoint({
  id: 'group-delete',
  service: 'admin',
  method: 'DELETE',
  path: '/groups/:id',
  summary: 'Delete a group with the subgroups and projects in it; gone at once, cleared away afterwards',
  spec: 'companions 2.4',
  access: group('owner'),
  params: one,
  status: 202,
  response: messageView,
});

export const groupEndpoints = [
  listGroups,
  listSubgroups,
  listDescendantGroups,
  listGroupProjects,
  listSharedProjects,
  getGroup,
  createGroup,
  updateGroup,
  deleteGroup,
];
