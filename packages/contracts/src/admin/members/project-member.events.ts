import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';

/**
 * Streams `projectMember-<project id>`: the direct members of a project. The owner of a personal namespace needs no
 * event: they are a member of their projects, shown as 40 and acting as 50 [L118].
 */
export const ProjectMemberAdded = defineEvent({
  type: 'ProjectMemberAdded',
  version: 1,
  service: 'admin',
  audit: privileged('Project', 'ProjectMember'),
  activity: 'told',
  schema: z.object({
    projectId: z.int(),
    userId: z.int(),
    accessLevel: z.int(),
    expiresAt: z.string().nullable(),
  }),
});

export const ProjectMemberChanged = defineEvent({
  type: 'ProjectMemberChanged',
  version: 1,
  service: 'admin',
  audit: privileged('Project', 'ProjectMember'),
  activity: 'unnamed',
  schema: z.object({
    projectId: z.int(),
    userId: z.int(),
    accessLevel: z.int(),
    previousAccessLevel: z.int(),
    expiresAt: z.string().nullable(),
  }),
});

export const ProjectMemberRemoved = defineEvent({
  type: 'ProjectMemberRemoved',
  version: 1,
  service: 'admin',
  audit: privileged('Project', 'ProjectMember'),
  activity: 'told',
  schema: z.object({
    projectId: z.int(),
    userId: z.int(),
    reason: z.enum(['removed', 'left', 'expired', 'deleted']),
  }),
});

export const projectMemberEvents = [ProjectMemberAdded, ProjectMemberChanged, ProjectMemberRemoved] as const;
export type ProjectMemberEvent = EventOf<(typeof projectMemberEvents)[number]>;
