import { z } from 'zod';
import { anyone, atLeastOne, defineEndpoint, project, user } from '../endpoint.ts';
import {
  bool,
  datetime,
  fallback,
  file,
  idOrPath,
  int,
  list,
  nullable,
  oneOf,
  oneOfInts,
  text,
  textHash,
  url,
} from '../params.ts';
import { messageView } from '../views.ts';
import { anyProjectView, projectView } from './project.views.ts';
import { projectSettingParams } from './project-settings.params.ts';

const visibility = oneOf('private', 'internal', 'public');
/** A picture is at most 200 KiB; a body with one may be larger, so that this is told as what it is. */
const MAX_BODY = 4 * 1024 * 1024;

/** Filters and orders that lists of projects share [L467]. */
export const projectFilterParams = {
  archived: bool(),
  custom_attributes: textHash(),
  id_after: int(),
  id_before: int(),
  last_activity_after: datetime(),
  last_activity_before: datetime(),
  membership: fallback(bool(), false),
  min_access_level: oneOfInts(10, 20, 30, 40, 50),
  order_by: fallback(
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
  owned: fallback(bool(), false),
  repository_checksum_failed: fallback(bool(), false),
  repository_storage: text({ max: 255 }),
  search: text({ max: 1000 }),
  search_namespaces: fallback(bool(), false),
  simple: fallback(bool(), false),
  sort: fallback(oneOf('asc', 'desc'), 'desc'),
  starred: fallback(bool(), false),
  statistics: fallback(bool(), false),
  topic: list(text({ max: 255 }), { max: 50 }),
  visibility,
  wiki_checksum_failed: fallback(bool(), false),
  with_custom_attributes: fallback(bool(), false),
  with_issues_enabled: fallback(bool(), false),
  with_merge_requests_enabled: fallback(bool(), false),
  with_programming_language: text({ max: 255 }),
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
  params: { user_id: idOrPath(), ...projectFilterParams },
  pagination: 'capped',
  response: z.array(anyProjectView),
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
    id: idOrPath(),
    statistics: fallback(bool(), false),
    license: fallback(bool(), false),
    with_custom_attributes: fallback(bool(), false),
  },
  response: anyProjectView,
});

const common = {
  ...projectSettingParams,
  avatar: nullable(file()),
  description: nullable(text({ max: 100_000 })),
  import_url: nullable(url({ schemes: ['http', 'https', 'ssh', 'git'], max: 2000 })),
  visibility,
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
    name: text({ max: 1000 }),
    path: text({ max: 1000 }),
    namespace_id: int(),
    default_branch: text({ max: 255 }),
    initialize_with_readme: fallback(bool(), false),
    template_name: text({ max: 255 }),
  },
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
    id: idOrPath(),
    name: text({ max: 1000 }),
    path: text({ max: 1000 }),
    default_branch: text({ max: 255 }),
  },
  maxBody: MAX_BODY,
  response: projectView,
});

export const deleteProject = defineEndpoint({
  id: 'project-delete',
  service: 'repo',
  method: 'DELETE',
  path: '/projects/:id',
  summary: 'Delete a project with all that is in it',
  spec: 'companions 2.3',
  access: project('owner'),
  params: { id: idOrPath() },
  status: 202,
  response: messageView,
});

export const archiveProject = defineEndpoint({
  id: 'project-archive',
  service: 'repo',
  method: 'POST',
  path: '/projects/:id/archive',
  summary: 'Make a project read-only',
  spec: 'companions 2.3',
  access: project('owner'),
  params: { id: idOrPath() },
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
  params: { id: idOrPath() },
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
  params: { id: idOrPath() },
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
  params: { id: idOrPath() },
  status: 201,
  otherStatuses: [304],
  response: projectView,
});

export const projectEndpoints = [
  listProjects,
  listUserProjects,
  getProject,
  createProject,
  updateProject,
  deleteProject,
  archiveProject,
  unarchiveProject,
  starProject,
  unstarProject,
];
