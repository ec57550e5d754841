import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { date, described, int, nullable, oneOfInts, required } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { dateView, defineView } from '../../views.ts';
import examples from './project-group-link.examples.json' with { type: 'json' };

export const projectGroupLinkView = defineView(
  'ProjectGroupLink',
  {
    id: z.int(),
    project_id: z.int(),
    group_id: z.int(),
    group_access: z.int(),
    expires_at: dateView.nullable(),
  },
  examples.ProjectGroupLink,
);

const common = { service: 'admin', access: project('maintainer'), spec: 'companions 2.3' } as const;
const groupId = described(required(int({ min: 1 })), 'Id of the group', { examples: [5] });

export const shareProject = defineEndpoint({
  ...common,
  id: 'project-share',
  method: 'POST',
  path: '/projects/:id/share',
  summary: 'Give the members of a group access, each as they are in the group and up to a level',
  params: {
    id: projectId,
    group_id: groupId,
    group_access: described(
      required(oneOfInts(10, 20, 30, 40)),
      'The most that they are: 10 guest, 20 reporter, 30 developer, 40 maintainer',
      { examples: [30] },
    ),
    expires_at: described(nullable(date()), 'First day without the access; null for no end'),
  },
  status: 201,
  response: projectGroupLinkView,
});

export const unshareProject = defineEndpoint({
  ...common,
  id: 'project-unshare',
  method: 'DELETE',
  path: '/projects/:id/share/:group_id',
  summary: 'Take back the access of the members of a group',
  params: { id: projectId, group_id: groupId },
  status: 204,
});

export const projectGroupLinkEndpoints = [shareProject, unshareProject];
