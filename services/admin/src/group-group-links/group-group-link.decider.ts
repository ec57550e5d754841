import type { GroupGroupLinkEvent } from '@forgelog/contracts/admin/group-group-links/group-group-link.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

/** The share as it was made last; null once it ended. */
export type GroupGroupLinkState = { groupGroupLinkId: number; expiresAt: string | null } | null;

interface Ends {
  groupId: number;
  /** The group whose members have access. */
  sharedWithGroupId: number;
  /** The day of the request, `YYYY-MM-DD`. */
  today: string;
}

export type GroupGroupLinkCommand =
  | ({
      type: 'ShareGroup';
      groupGroupLinkId: number;
      accessLevel: number;
      expiresAt: string | null;
    } & Ends)
  | ({ type: 'UnshareGroup' } & Ends)
  /** Safe to repeat. */
  | ({ type: 'EndGroupShare'; reason: 'expired' | 'deleted' } & Ends);

export const groupGroupLinkStream = (groupId: number, sharedWithGroupId: number) =>
  `groupGroupLink-${groupId}-${sharedWithGroupId}`;

export const groupGroupLinkDecider: Decider<GroupGroupLinkState, GroupGroupLinkCommand, GroupGroupLinkEvent> =
  {
    initialState: null,

    decide(command, link) {
      const { groupId, sharedWithGroupId, today } = command;
      const isOver = link !== null && link.expiresAt !== null && link.expiresAt <= today;
      const end = (reason: 'removed' | 'expired' | 'deleted'): GroupGroupLinkEvent[] => {
        if (link === null) return [];
        const { groupGroupLinkId } = link;
        const data = { groupGroupLinkId, groupId, sharedWithGroupId, reason };
        return [{ type: 'GroupGroupLinkDeleted', data }];
      };
      switch (command.type) {
        case 'ShareGroup': {
          if (link !== null && !isOver)
            throw new Rejection('conflict', {
              message: 'The group has already been shared with this group',
            });
          const { type: _, today: __, ...data } = command;
          return [...end('expired'), { type: 'GroupGroupLinkCreated', data }];
        }
        case 'UnshareGroup':
          if (link === null || isOver) throw new Rejection('not_found', { what: 'Group Link' });
          return end('removed');
        case 'EndGroupShare':
          return command.reason === 'expired' && !isOver ? [] : end(command.reason);
        default:
          return command satisfies never;
      }
    },

    evolve(_, event) {
      if (event.type === 'GroupGroupLinkDeleted') return null;
      const { groupGroupLinkId, expiresAt } = event.data;
      return { groupGroupLinkId, expiresAt };
    },
  };
