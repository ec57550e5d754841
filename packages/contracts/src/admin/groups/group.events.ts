import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import type { NameForfeitedEvent } from '../../shared/route.events.ts';

/** Streams `group-<id>`: a group with its direct members, so that a group is never without an owner. */
export const visibility = z.enum(['private', 'internal', 'public']);

/** Settings keep the names of the API. */
export const groupSettings = z.object({
  share_with_group_lock: z.boolean(),
  require_two_factor_authentication: z.boolean(),
  two_factor_grace_period: z.int(),
  project_creation_level: z.enum(['noone', 'maintainer', 'developer']),
  auto_devops_enabled: z.boolean().nullable(),
  subgroup_creation_level: z.enum(['owner', 'maintainer']),
  emails_disabled: z.boolean().nullable(),
  mentions_disabled: z.boolean().nullable(),
  lfs_enabled: z.boolean(),
  request_access_enabled: z.boolean(),
  default_branch_protection: z.int(),
  shared_runners_setting: z.enum(['enabled', 'disabled_with_override', 'disabled_and_unoverridable']),
  avatar_url: z.string().nullable(),
});

export type GroupSettings = z.output<typeof groupSettings>;

export const GroupCreated = defineEvent({
  type: 'GroupCreated',
  version: 2,
  service: 'admin',
  audit: privileged('Group'),
  activity: 'administration',
  schema: z.object({
    groupId: z.int(),
    parentId: z.int().nullable(),
    name: z.string(),
    path: z.string(),
    /** Path of the group and its ancestors at that time. */
    fullPath: z.string(),
    description: z.string(),
    visibility,
    creatorId: z
      .int()
      .nullable()
      .describe('Id of the user who created the group; null for a group of the system.'),
    ownerId: z
      .int()
      .nullable()
      .default(null)
      .describe(
        'Id of a user whom this event itself makes an owner (50). Null since version 2: GroupMemberAdded follows.',
      ),
    settings: groupSettings.partial(),
  }),
  upcast: {
    /** The creator was an owner without an event of their own. */
    1: (data) => ({ ...data, ownerId: data.creatorId }),
  },
});

export const GroupUpdated = defineEvent({
  type: 'GroupUpdated',
  version: 1,
  service: 'admin',
  audit: privileged('Group'),
  activity: 'administration',
  schema: z.object({
    groupId: z.int(),
    changes: z
      .object({
        name: z.string(),
        path: z.string(),
        description: z.string(),
        visibility,
        settings: groupSettings.partial(),
      })
      .partial(),
  }),
});

export const GroupDeleted = defineEvent({
  type: 'GroupDeleted',
  version: 1,
  service: 'admin',
  audit: privileged('Group'),
  activity: 'administration',
  schema: z.object({
    groupId: z.int(),
    parentId: z.int().nullable(),
    path: z.string(),
    /** Path of the group and its ancestors at that time. */
    fullPath: z.string(),
  }),
});

export const GroupMemberAdded = defineEvent({
  type: 'GroupMemberAdded',
  version: 2,
  service: 'admin',
  audit: privileged('Group', 'GroupMember'),
  activity: 'administration',
  schema: z.object({
    groupId: z.int(),
    userId: z.int(),
    accessLevel: z.int(),
    /** `YYYY-MM-DD`, the first day without access. */
    expiresAt: z.string().nullable(),
    reason: z
      .enum(['added', 'created'])
      .default('added')
      .describe('`created` for the first owner, who created the group; their event follows GroupCreated.'),
  }),
  upcast: { 1: (data) => ({ ...data, reason: 'added' }) },
});

export const GroupMemberChanged = defineEvent({
  type: 'GroupMemberChanged',
  version: 1,
  service: 'admin',
  audit: privileged('Group', 'GroupMember'),
  activity: 'administration',
  schema: z.object({
    groupId: z.int(),
    userId: z.int(),
    accessLevel: z.int(),
    previousAccessLevel: z.int(),
    expiresAt: z.string().nullable(),
  }),
});

export const GroupMemberRemoved = defineEvent({
  type: 'GroupMemberRemoved',
  version: 1,
  service: 'admin',
  audit: privileged('Group', 'GroupMember'),
  activity: 'administration',
  schema: z.object({
    groupId: z.int(),
    userId: z.int(),
    reason: z.enum(['removed', 'left', 'expired', 'deleted']),
  }),
});

export const groupEvents = [
  GroupCreated,
  GroupUpdated,
  GroupDeleted,
  GroupMemberAdded,
  GroupMemberChanged,
  GroupMemberRemoved,
] as const;
export type GroupEvent = EventOf<(typeof groupEvents)[number]>;

/** Every event of a stream `group-<id>`. */
export type GroupStreamEvent = GroupEvent | NameForfeitedEvent;
