import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { described, int, list, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { userView } from '../../views.ts';

export const listProjectUsers = defineEndpoint({
  id: 'project-user-list',
  service: 'admin',
  method: 'GET',
  path: '/projects/:id/users',
  summary: 'Users with access to a project as its members, inherited and shared ones included',
  spec: 'companions 2.3',
  // As the lists of members [L184].
  access: project('anyone', { signedIn: true }),
  params: {
    id: projectId,
    search: described(text({ max: 255 }), 'Only users whose name or username holds this'),
    skip_users: described(list(int()), 'Leaves these users out'),
  },
  pagination: 'offset',
  response: z.array(userView),
});
