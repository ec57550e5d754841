import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { accessEndsAt, accessLevel, groupId } from '../../shared/event.fields.ts';
import examples from './group-group-link.events.examples.json' with { type: 'json' };

const link = {
  groupGroupLinkId: z.int().describe('Id of the share.'),
  groupId,
  sharedWithGroupId: z.int().describe('Id of the group whose members have access.'),
};

export const GroupGroupLinkCreated = defineEvent({
  type: 'GroupGroupLinkCreated',
  version: 1,
  description:
    'A group was shared with another group: its members have access to all groups and projects below, up to a level.',
  subject: 'groupGroupLink-<groupId>-<sharedWithGroupId>',
  example: examples.GroupGroupLinkCreated,
  service: 'admin',
  audit: privileged('Group', 'GroupGroupLink'),
  activity: 'administration',
  schema: z.object({ ...link, accessLevel, expiresAt: accessEndsAt }),
});

export const GroupGroupLinkDeleted = defineEvent({
  type: 'GroupGroupLinkDeleted',
  version: 1,
  description: 'A group is no longer shared with another group.',
  subject: 'groupGroupLink-<groupId>-<sharedWithGroupId>',
  example: examples.GroupGroupLinkDeleted,
  service: 'admin',
  audit: privileged('Group', 'GroupGroupLink'),
  activity: 'administration',
  schema: z.object({
    ...link,
    reason: z
      .enum(['removed', 'expired', 'deleted'])
      .describe('Why it ended: removed by somebody, expired, or with the deletion of one of the groups.'),
  }),
});

export const groupGroupLinkEvents = [GroupGroupLinkCreated, GroupGroupLinkDeleted] as const;
export type GroupGroupLinkEvent = EventOf<(typeof groupGroupLinkEvents)[number]>;
