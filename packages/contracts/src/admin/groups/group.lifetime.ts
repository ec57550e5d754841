import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { UserDeleted } from '../users/user.events.ts';
import {
  GroupCreated,
  GroupDeleted,
  GroupDeletionCancelled,
  GroupDeletionScheduled,
  GroupMemberAdded,
  GroupMemberChanged,
  GroupMemberRemoved,
  GroupTransferred,
  GroupUpdated,
} from './group.events.ts';

export const groupLifetime = defineLifetime({
  kind: 'Group',
  id: ['groupId'],
  begins: [begins(GroupCreated)],
  changes: changedBy(GroupUpdated, GroupTransferred, GroupDeletionScheduled, GroupDeletionCancelled),
  ends: [
    endsWith(GroupDeleted, ['groupId']),
    endsWith(GroupDeleted, { parentId: 'groupId' }, { announcedBy: GroupDeleted }),
  ],
});

export const groupMembershipLifetime = defineLifetime({
  kind: 'GroupMembership',
  id: ['groupId', 'userId'],
  begins: [
    begins(GroupCreated, { fields: { userId: 'ownerId' }, fixed: { accessLevel: 50, expiresAt: null } }),
    begins(GroupMemberAdded),
  ],
  changes: changedBy(GroupMemberChanged),
  ends: [
    endsWith(GroupMemberRemoved, ['groupId', 'userId']),
    endsWith(GroupDeleted, ['groupId'], { announcedBy: GroupMemberRemoved }),
    endsWith(UserDeleted, ['userId'], { announcedBy: GroupMemberRemoved }),
  ],
});
