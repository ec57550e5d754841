import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { described, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import examples from './project.examples.json' with { type: 'json' };

export const projectStarrerView = defineView(
  'ProjectStarrer',
  { starred_since: datetimeView, user: userView },
  examples.ProjectStarrer,
);

export const listProjectStarrers = defineEndpoint({
  id: 'project-starrer-list',
  service: 'repo',
  method: 'GET',
  path: '/projects/:id/starrers',
  summary: 'Users who starred a project, the first ones first',
  spec: 'companions 2.3',
  access: project('anyone'),
  params: {
    id: projectId,
    search: described(text({ max: 255 }), 'Only users whose name or username holds this'),
  },
  pagination: 'offset',
  response: z.array(projectStarrerView),
});
