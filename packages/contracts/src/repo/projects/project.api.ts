import { z } from 'zod';
import { administrator, anyone, atLeastOne, defineEndpoint, project, user } from '../../endpoint.ts';
import {
  bool,
  datetime,
  described,
  fallback,
  idOrPath,
  int,
  list,
  nullable,
  oneOf,
  required,
  text,
  url,
} from '../../params.ts';
import { avatar } from '../../shared/avatar.ts';
import {
  customAttributes,
  descending,
  minAccessLevel,
  projectId,
  visibility,
} from '../../shared/common.params.ts';
import { deletionParams } from '../../shared/deletion.params.ts';
import { messageView } from '../../views.ts';
import { anyProjectView, projectView } from './project.views.ts';
import { projectSettingParams } from './project-settings.params.ts';

/** Above the 200 KiB of an avatar, so that a larger one gets the avatar's own error. */
const MAX_BODY = 4 * 1024 * 1024;

/** Filters and orders of all lists of projects [L467]. */
export const projectFilterParams = {
  archived: described(bool(), 'Only archived projects, or only others'),
  custom_attributes: customAttributes,
  id_after: described(int(), 'Only projects with a greater id'),
  id_before: described(int(), 'Only projects with a smaller id'),
  last_activity_after: described(datetime(), 'Only projects whose last activity was at or after this time'),
  last_activity_before: described(datetime(), 'Only projects whose last activity was at or before this time'),
  membership: described(fallback(bool(), false), 'Only projects that the caller is a member of'),
  min_access_level: minAccessLevel,
  order_by: described(
    fallback(
      oneOf(
        'id',
        'name',
        'path',
        'created_at',
        'updated_at',
        'last_activity_at',
        'similarity',
        'repository_size',
        'storage_size',
        'packages_size',
        'wiki_size',
      ),
      'created_at',
    ),
    'What the order goes by',
  ),
  owned: described(fallback(bool(), false), 'Only projects that the caller owns'),
  repository_checksum_failed: described(
    fallback(bool(), false),
    'Only projects whose repository is damaged, for administrators',
  ),
  repository_storage: described(text({ max: 255 }), 'Only projects on this storage, for administrators'),
  search: described(text({ max: 1000 }), 'Only projects whose name, path or description holds this'),
  search_namespaces: described(fallback(bool(), false), 'Searches the paths of their groups too'),
  simple: described(fallback(bool(), false), 'The simple form of each project'),
  sort: descending,
  starred: described(fallback(bool(), false), 'Only projects that the caller has starred'),
  statistics: described(fallback(bool(), false), 'Adds `statistics`'),
  topic: described(list(text({ max: 255 }), { max: 50 }), 'Only projects with all of these topics'),
  visibility: described(visibility, 'Only projects of this visibility'),
  wiki_checksum_failed: described(
    fallback(bool(), false),
    'Only projects whose wiki is damaged, for administrators',
  ),
  with_custom_attributes: described(fallback(bool(), false), 'Adds `custom_attributes`, for administrators'),
  with_issues_enabled: described(fallback(bool(), false), 'Only projects with issues'),
  with_merge_requests_enabled: described(fallback(bool(), false), 'Only projects with merge requests'),
  with_programming_language: described(text({ max: 255 }), 'Only projects in this programming language'),
};

export const listProjects = defineEndpoint({
  id: 'project-list',
  service: 'repo',
  method: 'GET',
  path: '/projects',
  summary: 'Projects that the caller may see; the simple form for who is not signed in',
  spec: 'api-v4 L462',
  access: anyone,
  params: projectFilterParams,
  pagination: 'capped',
  response: z.array(anyProjectView),
});

export const listUserProjects = defineEndpoint({
  id: 'user-project-list',
  service: 'repo',
  method: 'GET',
  path: '/users/:user_id/projects',
  summary: "Projects in a user's own namespace that the caller may see",
  spec: 'companions 2.2',
  access: anyone,
  params: { user_id: described(idOrPath(), 'Id or username of the user'), ...projectFilterParams },
  pagination: 'capped',
  response: z.array(anyProjectView),
});

const ofUser = {
  service: 'repo',
  method: 'GET',
  spec: 'companions 2.1',
  access: anyone,
  params: { user_id: described(idOrPath(), 'Id or username of the user'), ...projectFilterParams },
  pagination: 'capped',
  response: z.array(anyProjectView),
} as const;

export const listStarredProjects = defineEndpoint({
  ...ofUser,
  id: 'user-starred-project-list',
  path: '/users/:user_id/starred_projects',
  summary: 'Projects that a user has starred and the caller may see',
});

export const listContributedProjects = defineEndpoint({
  ...ofUser,
  id: 'user-contributed-project-list',
  path: '/users/:user_id/contributed_projects',
  summary: 'Projects in which a user did something in the last year, that the caller may see',
});

export const getProject = defineEndpoint({
  id: 'project-get',
  service: 'repo',
  method: 'GET',
  path: '/projects/:id',
  summary: 'One project; the simple form for who is not signed in',
  spec: 'api-v4 L475, companions 2.3',
  access: project('anyone'),
  params: {
    id: projectId,
    statistics: described(fallback(bool(), false), 'Adds `statistics`'),
    license: described(fallback(bool(), false), 'Adds `license` and `license_url`'),
    with_custom_attributes: described(
      fallback(bool(), false),
      'Adds `custom_attributes`, for administrators',
    ),
  },
  response: anyProjectView,
});

const common = {
  ...projectSettingParams,
  avatar,
  description: described(nullable(text({ max: 100_000 })), 'What the project is for', {
    examples: ['An engine'],
  }),
  import_url: described(
    nullable(url({ schemes: ['http', 'https', 'ssh', 'git'], max: 2000 })),
    'Address of a repository to import',
  ),
  visibility: described(visibility, 'Who may see the project'),
};

export const createProject = defineEndpoint({
  id: 'project-create',
  service: 'repo',
  method: 'POST',
  path: '/projects',
  summary: 'Create a project, with its repository',
  spec: 'companions 2.3',
  access: user,
  params: {
    ...common,
    name: described(text({ max: 1000 }), 'Name of the project', { pattern: '\\S', examples: ['Analytical'] }),
    path: described(text({ max: 1000 }), 'Last segment of its address'),
    namespace_id: described(int(), 'Id of the namespace; the own one by default'),
    default_branch: described(text({ max: 255 }), 'Name of the default branch'),
    initialize_with_readme: described(fallback(bool(), false), 'Makes a first commit with a README.md'),
    template_name: described(text({ max: 255 }), 'Template to begin with; there are none yet'),
  },
  rules: [atLeastOne('name', 'path')],
  maxBody: MAX_BODY,
  status: 201,
  response: projectView,
});

const { namespace_id: _, ...forUser } = createProject.params;

export const createUserProject = defineEndpoint({
  id: 'user-project-create',
  service: 'repo',
  method: 'POST',
  path: '/projects/user/:user_id',
  summary: 'Create a project in the personal namespace of a user, as that user',
  spec: 'companions 2.3',
  access: administrator,
  params: { ...forUser, user_id: described(required(int({ min: 1 })), 'Id of the user') },
  rules: [atLeastOne('name', 'path')],
  maxBody: MAX_BODY,
  status: 201,
  response: projectView,
});

export const updateProject = defineEndpoint({
  id: 'project-update',
  service: 'repo',
  method: 'PUT',
  path: '/projects/:id',
  summary: 'Change the settings of a project',
  spec: 'api-v4 L463, L469',
  access: project('maintainer'),
  params: {
    ...common,
    id: projectId,
    name: described(text({ max: 1000 }), 'Name of the project', { pattern: '\\S', examples: ['Analytical'] }),
    path: described(text({ max: 1000 }), 'Last segment of its address'),
    default_branch: described(text({ max: 255 }), 'Name of the default branch'),
  },
  maxBody: MAX_BODY,
  response: projectView,
});

export const deleteProject = defineEndpoint({
  id: 'project-delete',
  service: 'repo',
  method: 'DELETE',
  path: '/projects/:id',
  summary:
    'Delete a project with all that is in it: at once, or after the days that the instance keeps what is deleted',
  spec: 'companions 2.3',
  access: project('owner', { whileMarked: true }),
  params: { id: projectId, ...deletionParams },
  status: 202,
  response: messageView,
});

export const restoreProject = defineEndpoint({
  id: 'project-restore',
  service: 'repo',
  method: 'POST',
  path: '/projects/:id/restore',
  summary: 'Restore a project that is marked for deletion',
  spec: 'companions 2.3',
  access: project('owner', { whileMarked: true }),
  params: { id: projectId },
  status: 201,
  response: projectView,
});

export const transferProject = defineEndpoint({
  id: 'project-transfer',
  service: 'repo',
  method: 'PUT',
  path: '/projects/:id/transfer',
  summary: 'Move a project to another namespace; its old path leads git there',
  spec: 'companions 2.3',
  access: project('owner'),
  params: {
    id: projectId,
    namespace: described(required(text({ max: 1000 })), 'Id or full path of the namespace', {
      examples: ['engines'],
    }),
  },
  response: projectView,
});

export const archiveProject = defineEndpoint({
  id: 'project-archive',
  service: 'repo',
  method: 'POST',
  path: '/projects/:id/archive',
  summary: 'Make a project read-only',
  spec: 'companions 2.3',
  access: project('owner'),
  params: { id: projectId },
  status: 201,
  response: projectView,
});

export const unarchiveProject = defineEndpoint({
  id: 'project-unarchive',
  service: 'repo',
  method: 'POST',
  path: '/projects/:id/unarchive',
  summary: 'Open an archived project for writing again',
  spec: 'companions 2.3',
  access: project('owner'),
  params: { id: projectId },
  status: 201,
  response: projectView,
});

export const starProject = defineEndpoint({
  id: 'project-star',
  service: 'repo',
  method: 'POST',
  path: '/projects/:id/star',
  summary: 'Star a project; 304 where the caller has',
  spec: 'companions 2.3',
  access: project('anyone', { signedIn: true }),
  params: { id: projectId },
  status: 201,
  otherStatuses: [304],
  response: projectView,
});

export const unstarProject = defineEndpoint({
  id: 'project-unstar',
  service: 'repo',
  method: 'POST',
  path: '/projects/:id/unstar',
  summary: 'Take a star back; 304 where there is none',
  spec: 'companions 2.3',
  access: project('anyone', { signedIn: true }),
  params: { id: projectId },
  status: 201,
  otherStatuses: [304],
  response: projectView,
});

export const projectEndpoints = [
  listProjects,
  listUserProjects,
  listStarredProjects,
  listContributedProjects,
  getProject,
  createProject,
  createUserProject,
  updateProject,
  transferProject,
  deleteProject,
  restoreProject,
  archiveProject,
  unarchiveProject,
  starProject,
  unstarProject,
];
