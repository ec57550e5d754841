import type { GroupAccessRequestEvent } from '@forgelog/contracts/admin/access-requests/access-request.events.ts';
import type { GroupEvent } from '@forgelog/contracts/admin/groups/group.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Map as PersistentMap, Set as PersistentSet } from 'immutable';

export interface Member {
  accessLevel: number;
  /** `YYYY-MM-DD`, the first day without access; null for never. */
  expiresAt: string | null;
}

/** Direct members by user id. */
export type Members = PersistentMap<number, Member>;

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
  | ({ type: 'RemoveGroupMember'; reason: 'removed' | 'left'; inheritedOwners: boolean } & Membership);

export type GroupAccessCommand =
  | ({ type: 'RequestGroupAccess' } & Membership)
  | ({ type: 'ApproveGroupAccess'; accessLevel: number } & Membership)
  | ({ type: 'DeleteGroupAccessRequest'; reason: 'denied' | 'withdrawn' } & Membership);

/** Ends memberships that are over by their date, or because the group or the users are deleted. */
export interface MembershipEnds {
  userIds: readonly number[];
  reason: 'expired' | 'deleted';
  today: string;
}

const OWNER = 50;

export const isActive = ({ expiresAt }: Member, today: string): boolean =>
  expiresAt === null || expiresAt > today;

/** True if another direct member owns the group. */
export function hasOtherOwner(members: Members, userId: number, today: string): boolean {
  return members.some(
    (member, id) => id !== userId && member.accessLevel === OWNER && isActive(member, today),
  );
}

/**
 * Adds, changes and removes direct members. The last owner cannot be removed: no one could administer the group again.
 */
export function decideMember(command: GroupMemberCommand, members: Members): readonly GroupEvent[] {
  const { groupId, userId, today } = command;
  const member = members.get(userId);
  const isMember = member !== undefined && isActive(member, today);
  switch (command.type) {
    case 'AddGroupMember': {
      if (isMember) throw new Rejection('conflict', { message: 'Member already exists' });
      const { accessLevel, expiresAt } = command;
      return [
        // A membership that is over has its end before the next one begins.
        ...endGroupMembers(groupId, members, { userIds: [userId], reason: 'expired', today }),
        { type: 'GroupMemberAdded', data: { groupId, userId, accessLevel, expiresAt, reason: 'added' } },
      ];
    }
    case 'ChangeGroupMember': {
      if (!isMember) throw new Rejection('record_not_found');
      const { accessLevel, expiresAt } = command;
      const change = changesFrom(member, { accessLevel, expiresAt });
      if (change === null) return [];
      const staysOwner = accessLevel === OWNER && isActive(command, today);
      if (!staysOwner) keepAnOwner(command, member, members);
      const previousAccessLevel = member.accessLevel;
      return [
        {
          type: 'GroupMemberChanged',
          data: { groupId, userId, accessLevel, previousAccessLevel, expiresAt, ...change },
        },
      ];
    }
    case 'RemoveGroupMember': {
      if (!isMember) throw new Rejection('record_not_found');
      keepAnOwner(command, member, members);
      const { reason } = command;
      return [{ type: 'GroupMemberRemoved', data: { groupId, userId, reason } }];
    }
    default:
      return command satisfies never;
  }
}

/** Decides about users who ask to become members. */
export function decideAccess(
  command: GroupAccessCommand,
  members: Members,
  requests: PersistentSet<number>,
): readonly (GroupEvent | GroupAccessRequestEvent)[] {
  const { groupId, userId, today } = command;
  switch (command.type) {
    case 'RequestGroupAccess': {
      const member = members.get(userId);
      if (member && isActive(member, today)) throw new Rejection('forbidden', {});
      if (requests.has(userId)) throw alreadyAsked();
      return [{ type: 'GroupAccessRequestCreated', data: { groupId, userId } }];
    }
    case 'ApproveGroupAccess': {
      if (!requests.has(userId)) throw new Rejection('record_not_found');
      const { accessLevel } = command;
      return decideMember(
        { type: 'AddGroupMember', groupId, userId, accessLevel, expiresAt: null, today },
        members,
      );
    }
    case 'DeleteGroupAccessRequest': {
      if (!requests.has(userId)) throw new Rejection('record_not_found');
      const { reason } = command;
      return [{ type: 'GroupAccessRequestDeleted', data: { groupId, userId, reason } }];
    }
    default:
      return command satisfies never;
  }
}

export const alreadyAsked = () =>
  new Rejection('validation_failed', { fields: { user_id: ['already exists in source'] } });

/** The last owner too. Nothing for users who are no members, so that a policy's second run changes nothing. */
export const endGroupMembers = (
  groupId: number,
  members: Members,
  ends: MembershipEnds,
): readonly Extract<GroupEvent, { type: 'GroupMemberRemoved' }>[] =>
  membersThatEnd(members, ends).map((userId) => ({
    type: 'GroupMemberRemoved',
    data: { groupId, userId, reason: ends.reason },
  }));

/** The date counts as it is now: it may have been moved since the command was made. */
export const membersThatEnd = (members: Members, { userIds, reason, today }: MembershipEnds): number[] =>
  userIds.filter((userId) => {
    const member = members.get(userId);
    return member !== undefined && (reason === 'deleted' || !isActive(member, today));
  });

function keepAnOwner(
  { userId, today, inheritedOwners }: Membership & { inheritedOwners: boolean },
  member: Member,
  members: Members,
): void {
  const isLast = member.accessLevel === OWNER && !inheritedOwners && !hasOtherOwner(members, userId, today);
  if (isLast) throw new Rejection('forbidden', {});
}
