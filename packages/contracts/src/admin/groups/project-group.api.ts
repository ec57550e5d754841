import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { bool, described, fallback, int, list, oneOfInts, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import examples from './group.examples.json' with { type: 'json' };

export const projectGroupView = defineView(
  'ProjectGroup',
  {
    id: z.int(),
    name: z.string(),
    avatar_url: z.string().nullable(),
    web_url: z.string(),
    full_name: z.string(),
    full_path: z.string(),
  },
  examples.ProjectGroup,
);

export const listProjectGroups = defineEndpoint({
  id: 'project-group-list',
  service: 'admin',
  method: 'GET',
  path: '/projects/:id/groups',
  summary: 'Groups above a project, with `with_shared` those that it is shared with too',
  spec: 'companions 2.3',
  access: project('anyone'),
  params: {
    id: projectId,
    search: described(text({ max: 255 }), 'Only groups whose name or path holds this'),
    skip_groups: described(list(int()), 'Leaves these groups out'),
    with_shared: described(fallback(bool(), false), 'Also groups that the project is shared with'),
    shared_min_access_level: described(
      oneOfInts(10, 20, 30, 40, 50),
      'Of those it is shared with, only groups with at least this access level',
    ),
    shared_visible_only: described(
      fallback(bool(), false),
      'Taken, and always so: groups that the caller does not see are left out',
    ),
  },
  pagination: 'offset',
  response: z.array(projectGroupView),
});
