import type { ProjectAccessRequestEvent } from '@forgelog/contracts/admin/access-requests/access-request.events.ts';
import type { ProjectMemberEvent } from '@forgelog/contracts/admin/members/project-member.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import {
  alreadyAsked,
  isActive,
  type MembershipEnds,
  membersThatEnd,
  without,
} from '../groups/group-member.rules.ts';

type ProjectMemberStreamEvent = ProjectMemberEvent | ProjectAccessRequestEvent;

export interface ProjectMemberState {
  /** Direct members by user id; a membership ends on its `expiresAt`. */
  members: Readonly<Record<number, { accessLevel: number; expiresAt: string | null }>>;
  /** Users who ask to become members. */
  requests: ReadonlySet<number>;
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
  initialState: { members: {}, requests: new Set() },

  decide(command, { members, requests }) {
    const { projectId } = command;
    if (command.type === 'EndProjectMembers') return endMembers(projectId, members, command);
    const { userId, ownerId, today } = command;
    const recorded = members[userId];
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
    const { members } = state;
    const { userId } = event.data;
    switch (event.type) {
      case 'ProjectMemberAdded':
      case 'ProjectMemberChanged': {
        const { accessLevel, expiresAt } = event.data;
        const requests = without(state.requests, userId);
        return { members: { ...members, [userId]: { accessLevel, expiresAt } }, requests };
      }
      case 'ProjectMemberRemoved': {
        const { [userId]: _, ...others } = members;
        return { ...state, members: others };
      }
      case 'ProjectAccessRequestCreated':
        return { ...state, requests: new Set([...state.requests, userId]) };
      case 'ProjectAccessRequestDeleted':
        return { ...state, requests: without(state.requests, userId) };
      default:
        return event satisfies never;
    }
  },
};

const endMembers = (
  projectId: number,
  members: ProjectMemberState['members'],
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
