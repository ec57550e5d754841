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
  | ({
      status: 'opened' | 'closed';
      issueId: number;
      authorId: number;
      movedToId: number | null;
      relativePosition: string | null;
      iterationId: number | null;
    } & InEpic &
      Times &
      IssueContent)
  | { status: 'deleted' };

/** The caller with their access level in the project. */
export interface Actor {
  userId: number;
  level: number;
}

export interface IssueOrigin extends Place {
  issueId: number;
  reason: 'moved' | 'cloned';
  withNotes: boolean;
}

/** The epic that an issue is in, and the text that its place there is given by; null where it has none. */
export interface InEpic {
  epicId: number | null;
  epicPosition: string | null;
  /** The group and the number of the epic that it is in, or was in last. */
  epicPlace: EpicPlace | null;
}

interface EpicPlace {
  groupId: number;
  iid: number;
}

export const IN_NO_EPIC: InEpic = { epicId: null, epicPosition: null, epicPlace: null };

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
        discussionLocked?: boolean;
        /** What it is a copy of. */
        copyOf?: IssueOrigin;
        epic?: InEpic;
        iterationId?: number | null;
      }
    | { type: 'MoveIssue'; movedById: number | null; to: Place & { issueId: number } }
    | {
        type: 'UpdateIssue';
        actor: Actor;
        changes: Partial<Omit<IssueContent, 'labels' | 'labelIds'>>;
        labels: LabelWishes;
        stateEvent: 'close' | 'reopen' | null;
        updatedAt: string | null;
        /** Bookings in the same append. */
        times?: readonly TimeCommand[];
        /** Undefined keeps the current one. */
        epic?: InEpic | undefined;
        iterationId?: number | null | undefined;
      }
    | { type: 'DeleteIssue' }
    | { type: 'ReorderIssue'; relativePosition: string }
    /** @param from only if it is in this epic */
    | { type: 'SetIssueEpic'; epic: InEpic; from: number | null }
    /** As its iteration ended: only where it is open, and in that one still. */
    | { type: 'RollOverIssue'; iterationId: number; from: number }
    | TimeCommand
  );

export const issueStream = (projectId: number, iid: number) => `issue-${projectId}-${iid}`;

/** Clients know the text (companions 2.7). */
export const CANNOT_MOVE = 'Cannot move issue due to insufficient permissions!';

const REPORTER = 20;

const bookTime = timeBooking({
  estimateSet: 'IssueTimeEstimateSet',
  spentAdded: 'IssueTimeSpentAdded',
  spentReset: 'IssueTimeSpentReset',
});

const NOTHING_YET = {
  timeEstimate: 0,
  timeSpent: 0,
  movedToId: null,
  relativePosition: null,
  iterationId: null,
  ...IN_NO_EPIC,
};

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
        ...(command.discussionLocked ? [locked(issue)] : []),
        ...bookInTurn((time, times) => bookTime(time, times, issue), command.times ?? [], none),
        ...(command.copyOf ? [copied(issue, command.copyOf)] : []),
        ...(command.epic ? putIntoEpic(issue, IN_NO_EPIC, command.epic) : []),
        ...putIntoIteration(issue, { iterationId: null }, command.iterationId),
      ];
    }
    if (state.status === 'absent' || state.status === 'deleted') throw new Rejection('record_not_found');
    const issue = { issueId: state.issueId, projectId, iid };
    switch (command.type) {
      case 'UpdateIssue':
        return [
          ...update(command, state, issue),
          ...bookInTurn((time, times) => bookTime(time, times, issue), command.times ?? [], state),
          ...(command.epic && command.actor.level >= REPORTER && command.epic.epicId !== state.epicId
            ? putIntoEpic(issue, state, command.epic)
            : []),
          ...(command.actor.level >= REPORTER ? putIntoIteration(issue, state, command.iterationId) : []),
        ];
      case 'MoveIssue':
        return move(command, state, issue);
      case 'ReorderIssue': {
        const change = changesFrom(state, { relativePosition: command.relativePosition });
        return change === null ? [] : [{ type: 'IssueReordered', data: { ...issue, ...change } }];
      }
      case 'SetIssueEpic':
        // Somebody else took it out, or put it into another one.
        if (command.from !== null && command.from !== state.epicId) throw new Rejection('record_not_found');
        return putIntoEpic(issue, state, command.epic);
      case 'RollOverIssue': {
        const goesOn = state.status === 'opened' && state.iterationId === command.from;
        return goesOn ? putIntoIteration(issue, state, command.iterationId) : [];
      }
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
      return { ...event.data, status: 'opened', discussionLocked: false, ...NOTHING_YET };
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
      case 'IssueEpicSet': {
        const { changes, epicGroupId: groupId, epicIid: iid } = event.data;
        return { ...state, ...changes, epicPlace: { groupId, iid } };
      }
      case 'IssueMoved':
      case 'IssueIterationSet':
      case 'IssueReordered':
        return { ...state, ...event.data.changes };
      case 'IssueCopied':
        return state;
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

interface IssueIds extends Place {
  issueId: number;
}

function putIntoEpic(issue: IssueIds, before: InEpic, epic: InEpic): IssueEvent[] {
  const { epicId, epicPosition } = epic;
  const change = changesFrom<Omit<InEpic, 'epicPlace'>>(before, { epicId, epicPosition });
  const place = epic.epicPlace ?? before.epicPlace;
  if (change === null || place === null) return [];
  const data = { ...issue, epicGroupId: place.groupId, epicIid: place.iid, ...change };
  return [{ type: 'IssueEpicSet', data }];
}

/** @param iterationId undefined keeps the current one */
function putIntoIteration(
  issue: IssueIds,
  { iterationId: before }: Pick<Present, 'iterationId'>,
  iterationId: number | null | undefined,
): IssueEvent[] {
  const change = changesFrom({ iterationId: before }, { iterationId });
  return change === null ? [] : [{ type: 'IssueIterationSet', data: { ...issue, ...change } }];
}

function locked(issue: IssueIds): IssueEvent {
  const change = { changes: { discussionLocked: true }, previous: { discussionLocked: false } };
  return { type: 'IssueUpdated', data: { ...issue, ...change, updatedAt: null } };
}

function copied(issue: IssueIds, { issueId, projectId, iid, reason, withNotes }: IssueOrigin): IssueEvent {
  const origin = { originIssueId: issueId, originProjectId: projectId, originIid: iid };
  return { type: 'IssueCopied', data: { ...issue, ...origin, reason, withNotes } };
}

/** An issue goes on in one place: of two moves at once one is refused. The same move once more is nothing. */
function move(
  { to, movedById }: Extract<IssueCommand, { type: 'MoveIssue' }>,
  state: Present,
  issue: IssueIds,
): IssueEvent[] {
  if (state.movedToId === to.issueId) return [];
  if (state.movedToId !== null) throw new Rejection('refused', { message: CANNOT_MOVE });
  const change = { changes: { movedToId: to.issueId }, previous: { movedToId: null } };
  const moved: IssueEvent = {
    type: 'IssueMoved',
    data: { ...issue, toProjectId: to.projectId, toIid: to.iid, ...change },
  };
  if (state.status === 'closed') return [moved];
  return [moved, { type: 'IssueClosed', data: { ...issue, closedById: movedById, ...ISSUE_CLOSED } }];
}
