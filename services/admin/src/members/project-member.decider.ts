import type { ProjectMemberEvent } from '@forgelog/contracts/admin/members/project-member.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

export interface ProjectMemberState {
  /** Direct members by user id; a membership ends on its `expiresAt`. */
  members: Readonly<Record<number, { accessLevel: number; expiresAt: string | null }>>;
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
  | ({ type: 'RemoveProjectMember'; reason: 'removed' | 'left' | 'expired' | 'deleted' } & Membership);

export const projectMemberStream = (projectId: number) => `projectMember-${projectId}`;

/** The routes check the caller's rights. */
export const projectMemberDecider: Decider<ProjectMemberState, ProjectMemberCommand, ProjectMemberEvent> = {
  initialState: { members: {} },

  decide(command, { members }) {
    const { projectId, userId, ownerId, today } = command;
    const recorded = members[userId];
    const member = recorded && isActive(recorded, today) ? recorded : undefined;
    switch (command.type) {
      case 'AddProjectMember': {
        const { accessLevel, expiresAt } = command;
        if (member || userId === ownerId)
          throw new Rejection('conflict', { message: 'Member already exists' });
        return [{ type: 'ProjectMemberAdded', data: { projectId, userId, accessLevel, expiresAt } }];
      }
      case 'ChangeProjectMember': {
        refuseOwner(command);
        if (!member) throw new Rejection('record_not_found');
        const { accessLevel, expiresAt = member.expiresAt } = command;
        if (accessLevel === member.accessLevel && expiresAt === member.expiresAt) return [];
        const previousAccessLevel = member.accessLevel;
        return [
          {
            type: 'ProjectMemberChanged',
            data: { projectId, userId, accessLevel, previousAccessLevel, expiresAt },
          },
        ];
      }
      case 'RemoveProjectMember': {
        refuseOwner(command);
        const { reason } = command;
        // Policies may repeat a command.
        if (reason === 'expired' || reason === 'deleted') {
          return recorded ? [{ type: 'ProjectMemberRemoved', data: { projectId, userId, reason } }] : [];
        }
        if (!member) throw new Rejection('record_not_found');
        return [{ type: 'ProjectMemberRemoved', data: { projectId, userId, reason } }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve({ members }, event) {
    const { userId } = event.data;
    switch (event.type) {
      case 'ProjectMemberAdded':
      case 'ProjectMemberChanged': {
        const { accessLevel, expiresAt } = event.data;
        return { members: { ...members, [userId]: { accessLevel, expiresAt } } };
      }
      case 'ProjectMemberRemoved': {
        const { [userId]: _, ...others } = members;
        return { members: others };
      }
      default:
        return event satisfies never;
    }
  },
};

const isActive = ({ expiresAt }: { expiresAt: string | null }, today: string): boolean =>
  expiresAt === null || expiresAt > today;

/** The owner of a personal namespace stays a member: they cannot be changed or removed, and cannot leave. */
function refuseOwner({ userId, ownerId }: Membership): void {
  if (userId === ownerId) throw new Rejection('forbidden', {});
}
