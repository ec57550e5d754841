import type { ProjectAccessRequestEvent } from '@forgelog/contracts/admin/access-requests/access-request.events.ts';
import type { ProjectMemberEvent } from '@forgelog/contracts/admin/members/project-member.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import {
  alreadyAsked,
  isActive,
  type Members,
  type MembershipEnds,
  membersThatEnd,
} from '../groups/group-member.rules.ts';

type ProjectMemberStreamEvent = ProjectMemberEvent | ProjectAccessRequestEvent;

export interface ProjectMemberState {
  members: Members;
  /** Users who ask to become members. */
  requests: PersistentSet<number>;
}

interface Membership {
  projectId: number;
  userId: number;
  /** The owner of the project's personal namespace, null in a group. */
  ownerId: number | null;
  /** The day of the request, `YYYY-MM-DD`. */
  today: string;
}

export type ProjectMemberCommand =
  | ({ type: 'AddProjectMember'; accessLevel: number; expiresAt: string | null } & Membership)
  /** An undefined `expiresAt` keeps the end date. */
  | ({ type: 'ChangeProjectMember'; accessLevel: number; expiresAt: string | null | undefined } & Membership)
  | ({ type: 'RemoveProjectMember'; reason: 'removed' | 'left' } & Membership)
  | ({ type: 'RequestProjectAccess' } & Membership)
  | ({ type: 'ApproveProjectAccess'; accessLevel: number } & Membership)
  | ({ type: 'DeleteProjectAccessRequest'; reason: 'denied' | 'withdrawn' } & Membership)
  | ({ type: 'EndProjectMembers'; projectId: number } & MembershipEnds);

export const projectMemberStream = (projectId: number) => `projectMember-${projectId}`;

/** The routes check the caller's rights. */
export const projectMemberDecider: Decider<
  ProjectMemberState,
  ProjectMemberCommand,
  ProjectMemberStreamEvent
> = {
  initialState: { members: PersistentMap(), requests: PersistentSet() },

  decide(command, { members, requests }) {
    const { projectId } = command;
    if (command.type === 'EndProjectMembers') return endMembers(projectId, members, command);
    const { userId, ownerId, today } = command;
    const recorded = members.get(userId);
    const member = recorded && isActive(recorded, today) ? recorded : undefined;
    switch (command.type) {
      case 'AddProjectMember':
      case 'ApproveProjectAccess': {
        const isApproval = command.type === 'ApproveProjectAccess';
        if (isApproval && !requests.has(userId)) throw new Rejection('record_not_found');
        const { accessLevel } = command;
        const expiresAt = isApproval ? null : command.expiresAt;
        if (member || userId === ownerId)
          throw new Rejection('conflict', { message: 'Member already exists' });
        return [
          ...endMembers(projectId, members, { userIds: [userId], reason: 'expired', today }),
          { type: 'ProjectMemberAdded', data: { projectId, userId, accessLevel, expiresAt } },
        ];
      }
      case 'RequestProjectAccess':
        if (member || userId === ownerId) throw new Rejection('forbidden', {});
        if (requests.has(userId)) throw alreadyAsked();
        return [{ type: 'ProjectAccessRequestCreated', data: { projectId, userId } }];
      case 'DeleteProjectAccessRequest': {
        if (!requests.has(userId)) throw new Rejection('record_not_found');
        const { reason } = command;
        return [{ type: 'ProjectAccessRequestDeleted', data: { projectId, userId, reason } }];
      }
      case 'ChangeProjectMember': {
        refuseOwner(command);
        if (!member) throw new Rejection('record_not_found');
        const { accessLevel, expiresAt = member.expiresAt } = command;
        const change = changesFrom(member, { accessLevel, expiresAt });
        if (change === null) return [];
        const previousAccessLevel = member.accessLevel;
        return [
          {
            type: 'ProjectMemberChanged',
            data: { projectId, userId, accessLevel, previousAccessLevel, expiresAt, ...change },
          },
        ];
      }
      case 'RemoveProjectMember': {
        refuseOwner(command);
        if (!member) throw new Rejection('record_not_found');
        const { reason } = command;
        return [{ type: 'ProjectMemberRemoved', data: { projectId, userId, reason } }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    const { members, requests } = state;
    const { userId } = event.data;
    switch (event.type) {
      case 'ProjectMemberAdded':
      case 'ProjectMemberChanged': {
        const { accessLevel, expiresAt } = event.data;
        return {
          members: members.set(userId, { accessLevel, expiresAt }),
          requests: requests.delete(userId),
        };
      }
      case 'ProjectMemberRemoved':
        return { ...state, members: members.delete(userId) };
      case 'ProjectAccessRequestCreated':
        return { ...state, requests: requests.add(userId) };
      case 'ProjectAccessRequestDeleted':
        return { ...state, requests: requests.delete(userId) };
      default:
        return event satisfies never;
    }
  },
};

const endMembers = (
  projectId: number,
  members: Members,
  ends: MembershipEnds,
): readonly ProjectMemberEvent[] =>
  membersThatEnd(members, ends).map((userId) => ({
    type: 'ProjectMemberRemoved',
    data: { projectId, userId, reason: ends.reason },
  }));

/** The owner of a personal namespace stays a member: they cannot be changed or removed, and cannot leave. */
function refuseOwner({ userId, ownerId }: Membership): void {
  if (userId === ownerId) throw new Rejection('forbidden', {});
}
