import { z } from 'zod';
import { defineEndpoint, group, user } from '../../endpoint.ts';
import {
  bool,
  described,
  fallback,
  int,
  list,
  nullable,
  oneOf,
  oneOfInts,
  required,
  text,
} from '../../params.ts';
import { anyProjectView } from '../../repo/projects/project.views.ts';
import { avatar } from '../../shared/avatar.ts';
import {
  ascending,
  customAttributes,
  descending,
  groupId,
  minAccessLevel,
  projectId,
  visibility,
  withCustomAttributes,
} from '../../shared/common.params.ts';
import { deletionParams } from '../../shared/deletion.params.ts';
import { messageView } from '../../views.ts';
import { groupDetailView, groupView } from './group.views.ts';

const one = { id: groupId };
const visible = group('anyone');

/** Filters of all lists of groups [L420-L422]. */
const listing = {
  skip_groups: described(list(int()), 'Leaves these groups out'),
  all_available: described(
    bool(),
    'All groups that the caller may see; by default true for administrators alone',
  ),
  search: described(text(), 'Only where the name or the path holds this'),
  sort: ascending,
  statistics: described(bool(), 'Adds `statistics`, for administrators'),
  with_custom_attributes: withCustomAttributes,
  owned: described(bool(), 'Only where the caller is an owner'),
  min_access_level: described(
    oneOfInts(5, 10, 20, 30, 40, 50),
    'Only where the caller has at least this access level',
  ),
  custom_attributes: customAttributes,
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
    order_by: described(
      fallback(oneOf('name', 'path', 'id', 'similarity'), 'name'),
      'What the order goes by',
    ),
    top_level_only: described(bool(), 'Only groups without a parent'),
  },
  pagination: 'offset',
  response: z.array(groupView),
});

const below = {
  service: 'admin',
  method: 'GET',
  access: visible,
  params: {
    ...one,
    ...listing,
    order_by: described(fallback(oneOf('name', 'path', 'id'), 'name'), 'What the order goes by'),
  },
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

/** Filters of a group's projects [L423, L424]; the repo service applies them. */
const projectListing = {
  archived: described(bool(), 'Only archived projects, or only others'),
  visibility: described(visibility, 'Only projects of this visibility'),
  order_by: described(
    fallback(
      oneOf('id', 'name', 'path', 'created_at', 'updated_at', 'similarity', 'last_activity_at'),
      'created_at',
    ),
    'What the order goes by',
  ),
  sort: descending,
  search: described(text(), 'Only where the name or the path holds this'),
  simple: described(bool(), 'The simple form of each project'),
  owned: described(bool(), 'Only where the caller is an owner'),
  starred: described(bool(), 'Only projects that the caller has starred'),
  with_issues_enabled: described(fallback(bool(), false), 'Only projects with issues'),
  with_merge_requests_enabled: described(fallback(bool(), false), 'Only projects with merge requests'),
  min_access_level: minAccessLevel,
  with_custom_attributes: withCustomAttributes,
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
    with_shared: described(fallback(bool(), true), 'Also projects that are shared with the group'),
    include_subgroups: described(fallback(bool(), false), 'Also projects of the groups below'),
    with_security_reports: described(
      fallback(bool(), false),
      'Only projects with security reports, of which there are none yet',
    ),
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
  params: {
    ...one,
    with_projects: described(fallback(bool(), true), 'Adds `projects` and `shared_projects`'),
    with_custom_attributes: withCustomAttributes,
  },
  response: groupDetailView,
});

/** Parameters of both creation and update. */
const attributes = {
  description: described(text(), 'What the group is for', { examples: ['All that moves'] }),
  visibility: described(visibility, 'Who may see the group'),
  share_with_group_lock: described(
    bool(),
    'Whether projects of the group cannot be shared with other groups',
  ),
  require_two_factor_authentication: described(bool(), 'Whether members must sign in with two factors'),
  two_factor_grace_period: described(int({ min: 0 }), 'Hours before two factors are required'),
  project_creation_level: described(oneOf('noone', 'maintainer', 'developer'), 'Who may create projects'),
  auto_devops_enabled: described(
    nullable(bool()),
    'Whether Auto DevOps is on; null for the default of the instance',
  ),
  subgroup_creation_level: described(oneOf('owner', 'maintainer'), 'Who may create subgroups'),
  emails_disabled: described(nullable(bool()), 'Whether no e-mail is sent'),
  mentions_disabled: described(nullable(bool()), 'Whether the group cannot be mentioned'),
  lfs_enabled: described(bool(), 'Whether projects may use Git LFS'),
  request_access_enabled: described(bool(), 'Whether users may ask for access'),
  default_branch_protection: described(
    oneOfInts(0, 1, 2, 3),
    'Of default branches: 0 developers also force-push, 1 they push, 2 maintainers push and merge, 3 developers merge',
  ),
  avatar,
};

export const createGroup = defineEndpoint({
  id: 'group-create',
  service: 'admin',
  method: 'POST',
  path: '/groups',
  summary: 'Create a group or, with `parent_id`, a subgroup; its creator becomes its owner',
  spec: 'companions 2.4',
  access: user,
  params: {
    name: described(required(text()), 'Name of the group', { pattern: '\\S', examples: ['Engines'] }),
    path: described(required(text()), 'Last segment of its address', { examples: ['engines'] }),
    parent_id: described(int(), 'Id of the group above'),
    ...attributes,
  },
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
    name: described(text(), 'Name of the group', { pattern: '\\S', examples: ['Engines'] }),
    path: described(text(), 'Last segment of its address', { examples: ['engines'] }),
    ...attributes,
    shared_runners_setting: described(
      oneOf('enabled', 'disabled_with_override', 'disabled_and_unoverridable'),
      'Whether shared runners work for the projects',
    ),
  },
  response: groupDetailView,
});

export const deleteGroup = defineEndpoint({
  id: 'group-delete',
  service: 'admin',
  method: 'DELETE',
  path: '/groups/:id',
  summary:
    'Delete a group with all that is in it: at once, or after the days that the instance keeps what is deleted',
  spec: 'companions 2.4',
  access: group('owner', { whileMarked: true }),
  params: { ...one, ...deletionParams },
  status: 202,
  response: messageView,
});

export const restoreGroup = defineEndpoint({
  id: 'group-restore',
  service: 'admin',
  method: 'POST',
  path: '/groups/:id/restore',
  summary: 'Restore a group that is marked for deletion, with what was not marked by itself',
  spec: 'companions 2.4',
  access: group('owner', { whileMarked: true }),
  params: one,
  status: 201,
  response: groupDetailView,
});

export const transferGroup = defineEndpoint({
  id: 'group-transfer',
  service: 'admin',
  method: 'POST',
  path: '/groups/:id/transfer',
  summary: 'Move a group, with all that is in it, into another group or to the top',
  spec: 'companions 2.4',
  access: group('owner'),
  params: {
    ...one,
    group_id: described(int({ min: 1 }), 'Id of the group above; absent for the top', {
      examples: [4],
    }),
  },
  status: 201,
  response: groupDetailView,
});

export const transferProjectToGroup = defineEndpoint({
  id: 'group-project-transfer',
  service: 'admin',
  method: 'POST',
  path: '/groups/:id/projects/:project_id',
  summary: 'Move a project into a group, as its owner; its old path leads git there',
  spec: 'companions 2.4',
  access: group('anyone', { signedIn: true }),
  params: { ...one, project_id: projectId },
  status: 201,
  response: groupDetailView,
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
  restoreGroup,
  transferGroup,
  transferProjectToGroup,
];
