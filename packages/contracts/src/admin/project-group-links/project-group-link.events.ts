import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { accessEndsAt, accessLevel, projectId } from '../../shared/event.fields.ts';
import examples from './project-group-link.events.examples.json' with { type: 'json' };

const link = {
  projectGroupLinkId: z.int().describe('Id of the share.'),
  projectId,
  groupId: z.int().describe('Id of the group whose members have access.'),
};

export const ProjectGroupLinkCreated = defineEvent({
  type: 'ProjectGroupLinkCreated',
  version: 1,
  description: 'A project was shared with a group: its members have access, up to a level.',
  subject: 'projectGroupLink-<projectId>-<groupId>',
  example: examples.ProjectGroupLinkCreated,
  service: 'admin',
  audit: privileged('Project', 'ProjectGroupLink'),
  activity: 'unnamed',
  schema: z.object({ ...link, accessLevel, expiresAt: accessEndsAt }),
});

export const ProjectGroupLinkDeleted = defineEvent({
  type: 'ProjectGroupLinkDeleted',
  version: 1,
  description: 'A project is no longer shared with a group.',
  subject: 'projectGroupLink-<projectId>-<groupId>',
  example: examples.ProjectGroupLinkDeleted,
  service: 'admin',
  audit: privileged('Project', 'ProjectGroupLink'),
  activity: 'unnamed',
  schema: z.object({
    ...link,
    reason: z
      .enum(['removed', 'expired', 'deleted'])
      .describe(
        'Why it ended: removed by somebody, expired, or with the deletion of the project or the group.',
      ),
  }),
});

export const projectGroupLinkEvents = [ProjectGroupLinkCreated, ProjectGroupLinkDeleted] as const;
export type ProjectGroupLinkEvent = EventOf<(typeof projectGroupLinkEvents)[number]>;
