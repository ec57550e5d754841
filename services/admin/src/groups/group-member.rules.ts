import type { GroupEvent } from '@forgelog/contracts/admin/groups/group.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';

export interface Member {
  accessLevel: number;
  /** `YYYY-MM-DD`, the first day without access; null for never. */
  expiresAt: string | null;
}

interface Membership {
  groupId: number;
  userId: number;
  /** The day of the request, `YYYY-MM-DD`, by which memberships expire. */
  today: string;
}

export type GroupMemberCommand =
  | ({ type: 'AddGroupMember' } & Member & Membership)
  /** `inheritedOwners` means that a group above provides an owner other than this member. */
  | ({ type: 'ChangeGroupMember'; inheritedOwners: boolean } & Member & Membership)
  | ({
      type: 'RemoveGroupMember';
      reason: 'removed' | 'left' | 'expired' | 'deleted';
      inheritedOwners: boolean;
    } & Membership);

const OWNER = 50;

export const isActive = ({ expiresAt }: Member, today: string): boolean =>
  expiresAt === null || expiresAt > today;

/** True if another direct member owns the group. */
export function hasOtherOwner(
  members: Readonly<Record<number, Member>>,
  userId: number,
  today: string,
): boolean {
  return Object.entries(members).some(
    ([id, member]) => Number(id) !== userId && member.accessLevel === OWNER && isActive(member, today),
  );
}

/**
 * Adds, changes and removes direct members. The last owner cannot be removed: no one could administer the group again.
 * Expiry and user deletion remove them regardless.
 */
export function decideMember(
  command: GroupMemberCommand,
  members: Readonly<Record<number, Member>>,
): readonly GroupEvent[] {
  const { groupId, userId, today } = command;
  const member = members[userId];
  const isMember = member !== undefined && isActive(member, today);
  switch (command.type) {
    case 'AddGroupMember': {
      if (isMember) throw new Rejection('conflict', { message: 'Member already exists' });
      const { accessLevel, expiresAt } = command;
      return [
        { type: 'GroupMemberAdded', data: { groupId, userId, accessLevel, expiresAt, reason: 'added' } },
      ];
    }
    case 'ChangeGroupMember': {
      if (!isMember) throw new Rejection('record_not_found');
      const { accessLevel, expiresAt } = command;
      if (accessLevel === member.accessLevel && expiresAt === member.expiresAt) return [];
      const staysOwner = accessLevel === OWNER && isActive(command, today);
      if (!staysOwner) keepAnOwner(command, member, members);
      const previousAccessLevel = member.accessLevel;
      return [
        {
          type: 'GroupMemberChanged',
          data: { groupId, userId, accessLevel, previousAccessLevel, expiresAt },
        },
      ];
    }
    case 'RemoveGroupMember': {
      const { reason } = command;
      if (reason === 'expired' || reason === 'deleted') {
        // A policy's second run changes nothing.
        if (member === undefined) return [];
      } else {
        if (!isMember) throw new Rejection('record_not_found');
        keepAnOwner(command, member, members);
      }
      return [{ type: 'GroupMemberRemoved', data: { groupId, userId, reason } }];
    }
    default:
      return command satisfies never;
  }
}

function keepAnOwner(
  { userId, today, inheritedOwners }: Membership & { inheritedOwners: boolean },
  member: Member,
  members: Readonly<Record<number, Member>>,
): void {
  const isLast = member.accessLevel === OWNER && !inheritedOwners && !hasOtherOwner(members, userId, today);
  if (isLast) throw new Rejection('forbidden', {});
}
