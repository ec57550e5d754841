import type { ProjectGroupLinkEvent } from '@forgelog/contracts/admin/project-group-links/project-group-link.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

/** The share as it was made last; null once it ended. */
export type ProjectGroupLinkState = { projectGroupLinkId: number; expiresAt: string | null } | null;

interface Ends {
  projectId: number;
  groupId: number;
  /** The day of the request, `YYYY-MM-DD`. */
  today: string;
}

export type ProjectGroupLinkCommand =
  | ({
      type: 'ShareProject';
      projectGroupLinkId: number;
      accessLevel: number;
      expiresAt: string | null;
    } & Ends)
  | ({ type: 'UnshareProject' } & Ends)
  /** Safe to repeat. */
  | ({ type: 'EndProjectShare'; reason: 'expired' | 'deleted' } & Ends);

export const projectGroupLinkStream = (projectId: number, groupId: number) =>
  `projectGroupLink-${projectId}-${groupId}`;

export const projectGroupLinkDecider: Decider<
  ProjectGroupLinkState,
  ProjectGroupLinkCommand,
  ProjectGroupLinkEvent
> = {
  initialState: null,

  decide(command, link) {
    const { projectId, groupId, today } = command;
    const isOver = link !== null && link.expiresAt !== null && link.expiresAt <= today;
    const end = (reason: 'removed' | 'expired' | 'deleted'): ProjectGroupLinkEvent[] =>
      link === null
        ? []
        : [
            {
              type: 'ProjectGroupLinkDeleted',
              data: { projectGroupLinkId: link.projectGroupLinkId, projectId, groupId, reason },
            },
          ];
    switch (command.type) {
      case 'ShareProject': {
        if (link !== null && !isOver)
          throw new Rejection('conflict', { message: 'Group already shared with this group' });
        const { type: _, today: __, ...data } = command;
        return [...end('expired'), { type: 'ProjectGroupLinkCreated', data }];
      }
      case 'UnshareProject':
        if (link === null || isOver) throw new Rejection('not_found', { what: 'Group Link' });
        return end('removed');
      case 'EndProjectShare':
        return command.reason === 'expired' && !isOver ? [] : end(command.reason);
      default:
        return command satisfies never;
    }
  },

  evolve(_, event) {
    if (event.type === 'ProjectGroupLinkDeleted') return null;
    const { projectGroupLinkId, expiresAt } = event.data;
    return { projectGroupLinkId, expiresAt };
  },
};
