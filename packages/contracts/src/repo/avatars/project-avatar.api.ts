import { defineEndpoint, project } from '../../endpoint.ts';
import { projectId } from '../../shared/common.params.ts';
import { RASTER_TYPES } from '../../shared/raster-types.ts';

/** Answers at `/uploads/-/system/project/avatar/:id/…` too, as `avatar_url` has it. */
export const getProjectAvatar = defineEndpoint({
  id: 'project-avatar-get',
  service: 'repo',
  method: 'GET',
  path: '/projects/:id/avatar',
  summary: 'Avatar of a project',
  spec: 'companions 2.3',
  access: project('anyone'),
  params: { id: projectId },
  mediaTypes: RASTER_TYPES,
  otherStatuses: [304],
});

export const projectAvatarEndpoints = [getProjectAvatar];
