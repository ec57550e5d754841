import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { groupId, projectId, userId } from '../../shared/event.fields.ts';
import examples from './access-request.events.examples.json' with { type: 'json' };

const reason = z
  .enum(['denied', 'withdrawn'])
  .describe('Whether somebody denied it, or the user no longer asks.');

const common = { version: 1, service: 'admin', activity: 'unnamed' } as const;

/** Requests are in the streams of members, because becoming a member ends a request. */
const ofProject = {
  ...common,
  subject: 'projectMember-<projectId>',
  audit: privileged('Project', 'ProjectAccessRequest'),
} as const;

const ofGroup = {
  ...common,
  subject: 'group-<groupId>',
  audit: privileged('Group', 'GroupAccessRequest'),
} as const;

export const ProjectAccessRequestCreated = defineEvent({
  ...ofProject,
  type: 'ProjectAccessRequestCreated',
  description: 'A user asked to become a member of a project.',
  example: examples.ProjectAccessRequestCreated,
  schema: z.object({ projectId, userId }),
});

export const ProjectAccessRequestDeleted = defineEvent({
  ...ofProject,
  type: 'ProjectAccessRequestDeleted',
  description: 'The request of a user to become a member of a project ended, and they are none.',
  example: examples.ProjectAccessRequestDeleted,
  schema: z.object({ projectId, userId, reason }),
});

export const GroupAccessRequestCreated = defineEvent({
  ...ofGroup,
  type: 'GroupAccessRequestCreated',
  description: 'A user asked to become a member of a group.',
  example: examples.GroupAccessRequestCreated,
  schema: z.object({ groupId, userId }),
});

export const GroupAccessRequestDeleted = defineEvent({
  ...ofGroup,
  type: 'GroupAccessRequestDeleted',
  description: 'The request of a user to become a member of a group ended, and they are none.',
  example: examples.GroupAccessRequestDeleted,
  schema: z.object({ groupId, userId, reason }),
});

export const projectAccessRequestEvents = [ProjectAccessRequestCreated, ProjectAccessRequestDeleted] as const;
export type ProjectAccessRequestEvent = EventOf<(typeof projectAccessRequestEvents)[number]>;

export const groupAccessRequestEvents = [GroupAccessRequestCreated, GroupAccessRequestDeleted] as const;
export type GroupAccessRequestEvent = EventOf<(typeof groupAccessRequestEvents)[number]>;

export const accessRequestEvents = [...projectAccessRequestEvents, ...groupAccessRequestEvents] as const;
