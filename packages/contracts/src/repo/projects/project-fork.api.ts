import { z } from 'zod';
import { defineEndpoint, exclusive, project } from '../../endpoint.ts';
import { bool, described, idOrPath, int, nullable, text } from '../../params.ts';
import { projectId, visibility } from '../../shared/common.params.ts';
import { projectFilterParams } from './project.api.ts';
import { anyProjectView, projectView } from './project.views.ts';

export const forkProject = defineEndpoint({
  id: 'project-fork',
  service: 'repo',
  method: 'POST',
  path: '/projects/:id/fork',
  summary: 'Fork a project: create one with the same repository',
  spec: 'api-v4 L464',
  access: project('anyone', { signedIn: true, feature: 'repository' }),
  params: {
    id: projectId,
    name: described(text({ max: 1000 }), "Name of the fork; the project's own by default"),
    path: described(text({ max: 1000 }), "Last segment of its address; the project's own by default", {
      examples: ['analytical-fork'],
    }),
    namespace: described(text({ max: 1000 }), 'The older word for `namespace_id` and `namespace_path`'),
    namespace_id: described(int(), 'Id of the namespace; the own one by default'),
    namespace_path: described(text({ max: 1000 }), 'Full path of the namespace'),
    description: described(nullable(text({ max: 100_000 })), "Description; the project's own by default"),
    visibility: described(visibility, 'Who may see the fork: at most those who see project and namespace'),
    mr_default_target_self: described(
      bool(),
      'Whether merge requests of the fork go to the fork itself by default',
    ),
  },
  rules: [exclusive('namespace', 'namespace_id', 'namespace_path')],
  status: 201,
  response: projectView,
});

export const listForks = defineEndpoint({
  id: 'project-fork-list',
  service: 'repo',
  method: 'GET',
  path: '/projects/:id/forks',
  summary: 'Forks of a project that the caller may see',
  spec: 'api-v4 L465',
  access: project('anyone'),
  params: { id: projectId, ...projectFilterParams },
  pagination: 'capped',
  response: z.array(anyProjectView),
});

export const linkFork = defineEndpoint({
  id: 'project-fork-link',
  service: 'repo',
  method: 'POST',
  path: '/projects/:id/fork/:forked_from_id',
  summary: 'Make a project that exists a fork of another',
  spec: 'companions 2.3',
  access: project('owner'),
  params: { id: projectId, forked_from_id: described(idOrPath(), 'Id or path of the origin') },
  status: 201,
  response: projectView,
});

export const unlinkFork = defineEndpoint({
  id: 'project-fork-unlink',
  service: 'repo',
  method: 'DELETE',
  path: '/projects/:id/fork',
  summary: 'End the relation of a fork to its origin; 304 where there is none',
  spec: 'companions 2.3',
  access: project('owner'),
  params: { id: projectId },
  status: 204,
  otherStatuses: [304],
  response: null,
});

export const projectForkEndpoints = [forkProject, listForks, linkFork, unlinkFork];
