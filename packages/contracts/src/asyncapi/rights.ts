import { AccessLevel } from '../endpoint.ts';

/** The rules of rights that a consumer must know besides the events: `x-rights` of the AsyncAPI document. */
export const RIGHTS = {
  levels: AccessLevel,
  inheritance: {
    least: AccessLevel.guest,
    description:
      'The level of a user in a group or project is the highest of their own membership in it and of those in the groups above (`parentId` of a Group, `namespaceId` of a Project), of which only levels from `least` on count.',
  },
  groupSharing: {
    kind: 'GroupGroupLink',
    least: AccessLevel.guest,
    description:
      'A user whose level in the group that a group is shared with (`sharedWithGroupId`, inherited levels included, those by other shares not) is `least` or more has that level in the shared group and all below, but no more than the `accessLevel` of the share.',
  },
  sharing: {
    kind: 'ProjectGroupLink',
    least: AccessLevel.guest,
    description:
      'A user whose level in the group of a share (`groupId`, inherited levels and those by shares of groups included) is `least` or more has that level in the project, but no more than the `accessLevel` of the share.',
  },
  expiry: {
    field: 'expiresAt',
    description:
      'The first day without the right, in UTC: it ends at 00:00 of that day, by the date alone. An event with the reason `expired` follows.',
  },
  ownership: {
    kind: 'ProjectOwnership',
    level: AccessLevel.owner,
    listedAs: AccessLevel.maintainer,
    description:
      'The owner of a personal namespace acts as `level` in its projects, and lists of members show `listedAs`.',
  },
  administrator: {
    field: 'admin',
    level: AccessLevel.owner,
    description:
      'A User with this field acts as `level` everywhere, sees everything and is in no list of members.',
  },
  visibility: {
    public: 'Everybody sees it.',
    internal: 'Signed-in users see it, but those whose `external` is true.',
    private: 'Users with a level in it see it; members of a group or project see the groups above it, too.',
  },
  features: {
    field: 'settings.<feature>_access_level',
    description:
      '`enabled` is for all who see the project, `private` for its members, `disabled` for nobody. The repository of a project that a user does not see by its visibility needs the level 20.',
  },
  blocked: {
    field: 'state',
    description:
      'A User whose `state` is not `active` can do nothing. Their memberships and tokens stay, and count again once it is.',
  },
  archived: {
    field: 'archived',
    description:
      'Nobody writes to a Project whose `archived` is true, and its issues are missing from lists across projects. Nothing of it ends, and rights to read stay.',
  },
  markedForDeletion: {
    field: 'deletionDueAt',
    least: AccessLevel.owner,
    description:
      'Who acts with less than `least` does not see a Group or Project whose `deletionDueAt` is set, nor what is in such a Group. Nobody writes to it. Nothing of it has ended.',
  },
} as const;
