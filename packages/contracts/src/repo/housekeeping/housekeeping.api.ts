import { z } from 'zod';
import { administrator, defineEndpoint, project } from '../../endpoint.ts';
import { projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import examples from './housekeeping.examples.json' with { type: 'json' };

/** Place of a repository, for administrators who look after disks. */
export const projectStorageView = defineView(
  'ProjectStorage',
  {
    project_id: z.int(),
    disk_path: z.string(),
    created_at: datetimeView,
    repository_storage: z.string(),
  },
  examples.ProjectStorage,
);

export const getProjectStorage = defineEndpoint({
  id: 'project-storage',
  service: 'repo',
  method: 'GET',
  path: '/projects/:id/storage',
  summary: 'Where the repository of a project is',
  spec: 'companions 2.3',
  access: administrator,
  params: { id: projectId },
  response: projectStorageView,
});

export const startHousekeeping = defineEndpoint({
  id: 'project-housekeeping',
  service: 'repo',
  method: 'POST',
  path: '/projects/:id/housekeeping',
  summary: 'Pack the repository of a project; the answer does not wait for it',
  spec: 'companions 2.3',
  access: project('maintainer'),
  params: { id: projectId },
  status: 201,
  response: z.literal(true).meta({ examples: [true] }),
});

export const housekeepingEndpoints = [getProjectStorage, startHousekeeping];
