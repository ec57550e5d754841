import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed, previousUnknown } from '../../shared/changes.ts';
import {
  accessEndsAt,
  accessLevel,
  deletionMark,
  groupId,
  membershipChange,
  membershipChanged,
  membershipEnd,
  userId,
} from '../../shared/event.fields.ts';
import type { NameForfeitedEvent } from '../../shared/route.events.ts';
import { defaultsOf, setting } from '../../shared/settings.ts';
import type { GroupAccessRequestEvent } from '../access-requests/access-request.events.ts';
import examples from './group.events.examples.json' with { type: 'json' };

export const visibility = z
  .enum(['private', 'internal', 'public'])
  .describe('Who may see it: members, all users but external ones, or everybody.');

/** Settings keep the names of the API. */
export const groupSettings = z.object({
  share_with_group_lock: setting(z.boolean(), false, 'Whether projects may not be shared with other groups.'),
  require_two_factor_authentication: setting(
    z.boolean(),
    false,
    'Whether members must sign in with two factors.',
  ),
  two_factor_grace_period: setting(z.int(), 48, 'Hours before two factors are required.'),
  project_creation_level: setting(
    z.enum(['noone', 'maintainer', 'developer']),
    'developer',
    'Lowest role that may create projects.',
  ),
  auto_devops_enabled: setting(
    z.boolean().nullable(),
    null,
    'Whether Auto DevOps is on; null for the default of the instance.',
  ),
  subgroup_creation_level: setting(
    z.enum(['owner', 'maintainer']),
    'maintainer',
    'Lowest role that may create subgroups.',
  ),
  emails_disabled: setting(z.boolean().nullable(), null, 'Whether no e-mail is sent; null means no.'),
  mentions_disabled: setting(
    z.boolean().nullable(),
    null,
    'Whether the group cannot be mentioned; null means no.',
  ),
  lfs_enabled: setting(z.boolean(), true, 'Whether projects may use Git LFS.'),
  request_access_enabled: setting(z.boolean(), true, 'Whether users may ask for access.'),
  default_branch_protection: setting(
    z.int(),
    2,
    'Who pushes to default branches: 0 developers, by force too, 1 developers, 2 and 3 maintainers; 3 lets developers merge.',
  ),
  shared_runners_setting: setting(
    z.enum(['enabled', 'disabled_with_override', 'disabled_and_unoverridable']),
    'enabled',
    'Whether shared runners work for its projects, and whether these may decide otherwise.',
  ),
  avatar_url: personal(setting(z.string().nullable(), null, 'Address of the avatar.')),
});

export type GroupSettings = z.output<typeof groupSettings>;

export const GROUP_SETTING_DEFAULTS = defaultsOf(groupSettings);

const parentId = z.int().nullable().describe('Id of the group above; null at the top.');
const fullPath = personal(
  z.string().describe('Paths of the groups above and of this one at that time, joined by `/`.'),
);
const attributes = {
  name: personal(z.string().describe('Name as people read it.')),
  path: personal(z.string().describe('Last segment of its address.')),
  description: personal(z.string().describe('What the group is for.')),
  visibility,
};

export const GroupCreated = defineEvent({
  type: 'GroupCreated',
  version: 2,
  description: 'A group was created. Its creator is its first owner: an event of their membership follows.',
  subject: 'group-<groupId>',
  example: examples.GroupCreated,
  service: 'admin',
  audit: privileged('Group'),
  activity: 'administration',
  schema: z.object({
    groupId,
    parentId,
    ...attributes,
    fullPath,
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
    settings: groupSettings.partial().describe('Settings that were given; the others have their default.'),
  }),
  upcast: {
    /** The creator was an owner without an event of their own. */
    1: (data) => ({ ...data, ownerId: data.creatorId }),
  },
});

export const GroupUpdated = defineEvent({
  type: 'GroupUpdated',
  version: 2,
  description: 'Attributes or settings of a group changed.',
  subject: 'group-<groupId>',
  example: examples.GroupUpdated,
  service: 'admin',
  audit: privileged('Group'),
  activity: 'administration',
  schema: z.object({
    groupId,
    ...changed({
      ...attributes,
      settings: groupSettings.partial().describe('The changed settings.'),
    }),
  }),
  upcast: { 1: previousUnknown },
});

export const GroupTransferred = defineEvent({
  type: 'GroupTransferred',
  version: 1,
  description:
    'A group was moved into another group or to the top, with all that is in it. Nothing below is more open than its new visibility; events of what was follow.',
  subject: 'group-<groupId>',
  example: examples.GroupTransferred,
  service: 'admin',
  audit: privileged('Group'),
  activity: 'administration',
  schema: z.object({ groupId, fullPath, ...changed({ parentId, visibility }) }),
});

export const GroupDeletionScheduled = defineEvent({
  type: 'GroupDeletionScheduled',
  version: 1,
  description:
    'A group was marked for deletion, with all that is in it: until then only owners see it, and can restore it.',
  subject: 'group-<groupId>',
  example: examples.GroupDeletionScheduled,
  service: 'admin',
  audit: privileged('Group'),
  activity: 'administration',
  schema: z.object({ groupId, ...deletionMark }),
});

export const GroupDeletionCancelled = defineEvent({
  type: 'GroupDeletionCancelled',
  version: 1,
  description:
    'A group was restored before its deletion, with all in it that was not marked for deletion by itself.',
  subject: 'group-<groupId>',
  example: examples.GroupDeletionCancelled,
  service: 'admin',
  audit: privileged('Group'),
  activity: 'administration',
  schema: z.object({ groupId, ...deletionMark }),
});

export const GroupDeleted = defineEvent({
  type: 'GroupDeleted',
  version: 1,
  description: 'A group was deleted, with the groups and projects in it.',
  subject: 'group-<groupId>',
  example: examples.GroupDeleted,
  service: 'admin',
  audit: privileged('Group'),
  activity: 'administration',
  schema: z.object({
    groupId,
    parentId,
    path: attributes.path,
    fullPath,
  }),
});

export const GroupMemberAdded = defineEvent({
  type: 'GroupMemberAdded',
  version: 2,
  description: 'A user became a direct member of a group, and with it of all groups and projects below.',
  subject: 'group-<groupId>',
  example: examples.GroupMemberAdded,
  service: 'admin',
  audit: privileged('Group', 'GroupMember'),
  activity: 'administration',
  schema: z.object({
    groupId,
    userId,
    accessLevel,
    expiresAt: accessEndsAt,
    reason: z
      .enum(['added', 'created'])
      .default('added')
      .describe('`created` for the first owner, who created the group; their event follows GroupCreated.'),
  }),
  upcast: { 1: (data) => ({ ...data, reason: 'added' }) },
});

export const GroupMemberChanged = defineEvent({
  type: 'GroupMemberChanged',
  version: 2,
  description: 'The access level of a direct member of a group, or its end, changed.',
  subject: 'group-<groupId>',
  example: examples.GroupMemberChanged,
  service: 'admin',
  audit: privileged('Group', 'GroupMember'),
  activity: 'administration',
  schema: z.object({
    groupId,
    userId,
    ...membershipChange,
  }),
  upcast: { 1: membershipChanged },
});

export const GroupMemberRemoved = defineEvent({
  type: 'GroupMemberRemoved',
  version: 1,
  description: 'A user is no longer a direct member of a group.',
  subject: 'group-<groupId>',
  example: examples.GroupMemberRemoved,
  service: 'admin',
  audit: privileged('Group', 'GroupMember'),
  activity: 'administration',
  schema: z.object({
    groupId,
    userId,
    reason: membershipEnd,
  }),
});

export const groupEvents = [
  GroupCreated,
  GroupUpdated,
  GroupTransferred,
  GroupDeletionScheduled,
  GroupDeletionCancelled,
  GroupDeleted,
  GroupMemberAdded,
  GroupMemberChanged,
  GroupMemberRemoved,
] as const;
export type GroupEvent = EventOf<(typeof groupEvents)[number]>;

/** Every event of a stream `group-<id>`. */
export type GroupStreamEvent = GroupEvent | GroupAccessRequestEvent | NameForfeitedEvent;
