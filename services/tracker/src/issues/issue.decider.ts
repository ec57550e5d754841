import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import {
  ISSUE_CLOSED,
  ISSUE_REOPENED,
  type IssueEvent,
  type IssueUpdated,
} from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { type LabelWishes, labelsAfter } from '../labels/given-labels.rules.ts';
import { requireValid } from '../targets/target-content.rules.ts';
import {
  bookInTurn,
  type TimeCommand,
  type Times,
  timeBooking,
} from '../time-tracking/time-tracking.decider.ts';

/** What people write into an issue. */
export type IssueContent = Required<EventOf<typeof IssueUpdated>['data']['changes']>;

export type IssueState =
  | { status: 'absent' }
  | ({ status: 'opened' | 'closed'; issueId: number; authorId: number } & Times & IssueContent)
  | { status: 'deleted' };

/** The caller with their access level in the project. */
export interface Actor {
  userId: number;
  level: number;
}

/** Which issue: the number that its stream is named after. */
interface Place {
  projectId: number;
  iid: number;
}

export type IssueCommand = Place &
  (
    | {
        type: 'OpenIssue';
        issueId: number;
        authorId: number;
        content: Omit<IssueContent, 'discussionLocked'>;
        createdAt: string | null;
        /** Bookings in the same append. */
        times?: readonly TimeCommand[];
      }
    | {
        type: 'UpdateIssue';
        actor: Actor;
        changes: Partial<Omit<IssueContent, 'labels' | 'labelIds'>>;
        labels: LabelWishes;
        stateEvent: 'close' | 'reopen' | null;
        updatedAt: string | null;
        /** Bookings in the same append. */
        times?: readonly TimeCommand[];
      }
    | { type: 'DeleteIssue' }
    | TimeCommand
  );

export const issueStream = (projectId: number, iid: number) => `issue-${projectId}-${iid}`;

const REPORTER = 20;

const bookTime = timeBooking({
  estimateSet: 'IssueTimeEstimateSet',
  spentAdded: 'IssueTimeSpentAdded',
  spentReset: 'IssueTimeSpentReset',
});

export const issueDecider: Decider<IssueState, IssueCommand, IssueEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { projectId, iid } = command;
    if (command.type === 'OpenIssue') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      const { issueId, authorId, createdAt } = command;
      const content = { ...command.content, title: command.content.title.trim() };
      requireValid(content);
      const issue = { issueId, projectId, iid };
      const none = { timeEstimate: 0, timeSpent: 0 };
      return [
        { type: 'IssueOpened', data: { ...issue, authorId, ...content, createdAt } },
        ...bookInTurn((time, times) => bookTime(time, times, issue), command.times ?? [], none),
      ];
    }
    if (state.status === 'absent' || state.status === 'deleted') throw new Rejection('record_not_found');
    const issue = { issueId: state.issueId, projectId, iid };
    switch (command.type) {
      case 'UpdateIssue':
        return [
          ...update(command, state, issue),
          ...bookInTurn((time, times) => bookTime(time, times, issue), command.times ?? [], state),
        ];
      case 'DeleteIssue':
        return [{ type: 'IssueDeleted', data: issue }];
      case 'SetTimeEstimate':
      case 'AddTimeSpent':
      case 'ResetTimeSpent':
        return bookTime(command, state, issue);
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    if (event.type === 'IssueOpened')
      return { ...event.data, status: 'opened', discussionLocked: false, timeEstimate: 0, timeSpent: 0 };
    if (state.status === 'absent' || state.status === 'deleted') return state;
    switch (event.type) {
      case 'IssueUpdated':
        return { ...state, ...event.data.changes };
      case 'IssueClosed':
        return { ...state, status: 'closed' };
      case 'IssueReopened':
        return { ...state, status: 'opened' };
      case 'IssueDeleted':
        return { status: 'deleted' };
      case 'IssueTimeEstimateSet':
        return { ...state, timeEstimate: event.data.seconds };
      case 'IssueTimeSpentAdded':
        return { ...state, timeSpent: state.timeSpent + event.data.seconds };
      case 'IssueTimeSpentReset':
        return { ...state, timeSpent: 0 };
      default:
        return event satisfies never;
    }
  },
};

type Present = Extract<IssueState, { status: 'opened' | 'closed' }>;

/**
 * Reporters change everything; author and assignees, where they are not, the text and whether it is open: what else
 * they send is left aside. Everyone else is refused.
 */
function update(
  { actor, changes, labels, stateEvent, updatedAt }: Extract<IssueCommand, { type: 'UpdateIssue' }>,
  state: Present,
  issue: { issueId: number; projectId: number; iid: number },
): IssueEvent[] {
  const isReporter = actor.level >= REPORTER;
  if (!isReporter && actor.userId !== state.authorId && !state.assigneeIds.includes(actor.userId))
    throw new Rejection('forbidden', {});
  const { title = state.title, description = state.description } = changes;
  const wanted: IssueContent = {
    ...state,
    ...(isReporter && {
      ...changes,
      ...labelsAfter(state, labels),
    }),
    title: title.trim(),
    description,
  };
  const change = changesFrom<IssueContent>(state, wanted);
  const events: IssueEvent[] = [];
  if (change !== null || updatedAt !== null) {
    requireValid(wanted);
    const { changes, previous } = change ?? { changes: {}, previous: {} };
    events.push({ type: 'IssueUpdated', data: { ...issue, changes, previous, updatedAt } });
  }
  if (stateEvent === 'close' && state.status === 'opened')
    events.push({ type: 'IssueClosed', data: { ...issue, closedById: actor.userId, ...ISSUE_CLOSED } });
  if (stateEvent === 'reopen' && state.status === 'closed')
    events.push({ type: 'IssueReopened', data: { ...issue, ...ISSUE_REOPENED } });
  return events;
}
