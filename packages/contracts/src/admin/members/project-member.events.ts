import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import {
  accessEndsAt,
  accessLevel,
  membershipChange,
  membershipChanged,
  membershipEnd,
  projectId,
  userId,
} from '../../shared/event.fields.ts';
import examples from './project-member.events.examples.json' with { type: 'json' };

/**
 * The direct members of a project. The owner of a personal namespace needs no event: they are a member of their
 * projects, shown as 40 and acting as 50 [L118].
 */
export const ProjectMemberAdded = defineEvent({
  type: 'ProjectMemberAdded',
  version: 1,
  description: 'A user became a direct member of a project.',
  subject: 'projectMember-<projectId>',
  example: examples.ProjectMemberAdded,
  service: 'admin',
  audit: privileged('Project', 'ProjectMember'),
  activity: 'told',
  schema: z.object({
    projectId,
    userId,
    accessLevel,
    expiresAt: accessEndsAt,
  }),
});

export const ProjectMemberChanged = defineEvent({
  type: 'ProjectMemberChanged',
  version: 2,
  description: 'The access level of a direct member of a project, or its end, changed.',
  subject: 'projectMember-<projectId>',
  example: examples.ProjectMemberChanged,
  service: 'admin',
  audit: privileged('Project', 'ProjectMember'),
  activity: 'unnamed',
  schema: z.object({
    projectId,
    userId,
    ...membershipChange,
  }),
  upcast: { 1: membershipChanged },
});

export const ProjectMemberRemoved = defineEvent({
  type: 'ProjectMemberRemoved',
  version: 1,
  description: 'A user is no longer a direct member of a project.',
  subject: 'projectMember-<projectId>',
  example: examples.ProjectMemberRemoved,
  service: 'admin',
  audit: privileged('Project', 'ProjectMember'),
  activity: 'told',
  schema: z.object({
    projectId,
    userId,
    reason: membershipEnd,
  }),
});

export const projectMemberEvents = [ProjectMemberAdded, ProjectMemberChanged, ProjectMemberRemoved] as const;
export type ProjectMemberEvent = EventOf<(typeof projectMemberEvents)[number]>;
