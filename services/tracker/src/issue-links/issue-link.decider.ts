import { Rejection } from '@forgelog/contracts/errors.ts';
import type { IssueLinkEvent } from '@forgelog/contracts/tracker/issue-links/issue-link.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

export type IssueLink = IssueLinkEvent['data'];

/** The link of two issues; null where they have none. */
export type IssueLinkState = IssueLink | null;

export type IssueLinkCommand =
  | ({ type: 'LinkIssues' } & IssueLink)
  | { type: 'UnlinkIssues'; issueLinkId: number };

export const issueLinkStream = (one: number, other: number): string =>
  `issueLink-${Math.min(one, other)}-${Math.max(one, other)}`;

export const issueLinkDecider: Decider<IssueLinkState, IssueLinkCommand, IssueLinkEvent> = {
  initialState: null,

  decide(command, link) {
    switch (command.type) {
      case 'LinkIssues': {
        const { type: _, ...data } = command;
        if (data.sourceIssueId === data.targetIssueId)
          throw new Rejection('refused', { message: 'An issue cannot be related to itself' });
        if (link) throw new Rejection('conflict', { message: 'Issue(s) already assigned' });
        return [{ type: 'IssueLinkCreated', data }];
      }
      case 'UnlinkIssues':
        if (link?.issueLinkId !== command.issueLinkId)
          throw new Rejection('not_found', { what: 'Issue Link' });
        return [{ type: 'IssueLinkDeleted', data: link }];
      default:
        return command satisfies never;
    }
  },

  evolve: (_, { type, data }) => (type === 'IssueLinkCreated' ? data : null),
};
