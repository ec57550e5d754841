import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import {
  MERGE_FAILED,
  MERGE_REQUEST_CLOSED,
  MERGE_REQUEST_REOPENED,
  MERGE_STARTED,
  type MergeRequestAutoMergeSet,
  type MergeRequestCreated,
  type MergeRequestEvent,
  type MergeRequestMergeFailed,
  type MergeRequestMergeStarted,
  type MergeRequestUpdated,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
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
import {
  type AutoMerge,
  type AutoMergeCommand,
  autoMergeEvents,
  canceled,
  isOfAutoMerge,
  squashAsked,
} from './auto-merge.rules.ts';
import { isDraft } from './draft-title.ts';

/** What people write into a merge request. */
export type MergeRequestContent = Required<EventOf<typeof MergeRequestUpdated>['data']['changes']>;
type Created = EventOf<typeof MergeRequestCreated>['data'];

interface Facts extends Times, MergeRequestContent {
  mergeRequestId: number;
  authorId: number;
  sourceProjectId: number;
  sourceBranch: string;
  /** Users who approve it, with the commit that each of them approved. */
  approvals: readonly { userId: number; sha: string }[];
  /** The newest merge that was begun. */
  merge: Merge | null;
  /** What waits for the pipeline. */
  autoMerge: AutoMerge | null;
}

type Failed = EventOf<typeof MergeRequestMergeFailed>['data'];
type Merge = Omit<EventOf<typeof MergeRequestMergeStarted>['data'], 'changes' | 'previous'>;

export type MergeRequestState =
  | { status: 'absent' }
  | ({ status: 'opened' | 'closed' | 'locked' | 'merged' } & Facts)
  | { status: 'deleted' };

/** Commits of the branches as the repository has them. */
export interface Tips {
  sourceSha: string;
  targetSha: string;
}

/** What is to be merged, and how. */
export type MergeStart = Omit<Merge, 'mergeRequestId' | 'mergeId' | 'userId'>;

/** What git made of a merge. */
export interface MergedCommits {
  sha: string;
  mergeCommitSha: string | null;
  squashCommitSha: string | null;
}

interface Place {
  projectId: number;
  iid: number;
}

export type MergeRequestCommand = Place &
  /** Bookings are in the same append. */
  (
    | ({ type: 'CreateMergeRequest'; times?: readonly TimeCommand[] } & Created)
    | {
        type: 'UpdateMergeRequest';
        /** The caller with their access level in the project. */
        actor: { userId: number; level: number };
        changes: Partial<Omit<MergeRequestContent, 'labels' | 'labelIds'>>;
        labels: LabelWishes;
        stateEvent: 'close' | 'reopen' | null;
        /** Commits of the branches after the change; null where no branch changes and it is not opened again. */
        tips: Tips | null;
        updatedAt: string | null;
        /** Bookings in the same append. */
        times?: readonly TimeCommand[];
      }
    | { type: 'DeleteMergeRequest' }
    | {
        type: 'ApproveMergeRequest';
        userId: number;
        sha: string;
        /** Whether the project lets authors approve. */
        authorApproves?: boolean;
        /** Whether approvals of other commits end. */
        resetsApprovals?: boolean;
      }
    /** The source branch has got the commit: approvals of others end. */
    | { type: 'ResetApprovals'; sha: string }
    | { type: 'RevokeApproval'; userId: number }
    | ({ type: 'StartMerge'; mergeId: string; userId: number } & MergeStart)
    | ({ type: 'FinishMerge'; mergeId: string | null } & MergedCommits & { mergedById: number | null })
    | ({ type: 'FailMerge' } & Pick<Failed, 'mergeId' | 'reason' | 'message'>)
    | AutoMergeCommand
    | TimeCommand
  );

export const mergeRequestStream = (projectId: number, iid: number) => `mergeRequest-${projectId}-${iid}`;

const REPORTER = 20;
const DEVELOPER = 30;

const bookTime = timeBooking({
  estimateSet: 'MergeRequestTimeEstimateSet',
  spentAdded: 'MergeRequestTimeSpentAdded',
  spentReset: 'MergeRequestTimeSpentReset',
});

export const mergeRequestDecider: Decider<MergeRequestState, MergeRequestCommand, MergeRequestEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { projectId, iid } = command;
    if (command.type === 'CreateMergeRequest') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      const { type: _, times: bookings = [], ...given } = command;
      const data = { ...given, title: command.title.trim() };
      requireValid(data);
      requireTwoBranches(data);
      const ids = { mergeRequestId: data.mergeRequestId, projectId, iid };
      const none = { timeEstimate: 0, timeSpent: 0 };
      return [
        { type: 'MergeRequestCreated', data },
        ...bookInTurn((time, times) => bookTime(time, times, ids), bookings, none),
      ];
    }
    if (state.status === 'absent' || state.status === 'deleted') throw new Rejection('record_not_found');
    const ids = { mergeRequestId: state.mergeRequestId, projectId, iid };
    if (isOfAutoMerge(command)) {
      const { projectId: _, iid: __, ...wanted } = command;
      return autoMergeEvents(wanted, { ...state, isDraft: isDraft(state.title) }, ids);
    }
    const isMergesEnd = command.type === 'FinishMerge' || command.type === 'FailMerge';
    if (state.status === 'locked' && !isMergesEnd) {
      if (command.type === 'StartMerge') throw new Rejection('merge_not_allowed');
      throw new Rejection('conflict', { message: 'The merge request is being merged' });
    }
    switch (command.type) {
      case 'UpdateMergeRequest':
        return [
          ...update(command, state, ids),
          ...bookInTurn((time, times) => bookTime(time, times, ids), command.times ?? [], state),
        ];
      case 'DeleteMergeRequest':
        return [{ type: 'MergeRequestDeleted', data: ids }];
      case 'ApproveMergeRequest': {
        const { userId, sha, authorApproves = false, resetsApprovals = false } = command;
        const mayApprove = state.status === 'opened' && (userId !== state.authorId || authorApproves);
        const resets = resetsApprovals ? approvalResets(state, ids, sha) : [];
        const isAgain = state.approvals.some((one) => one.userId === userId);
        if (!mayApprove || (isAgain && !resets.some(({ data }) => data.userId === userId)))
          throw new Rejection('unauthorized');
        return [...resets, { type: 'MergeRequestApproved', data: { ...ids, userId, sha } }];
      }
      case 'ResetApprovals':
        return state.status === 'opened' ? approvalResets(state, ids, command.sha) : [];
      case 'RevokeApproval': {
        const { userId } = command;
        if (!state.approvals.some((one) => one.userId === userId)) throw new Rejection('record_not_found');
        return [{ type: 'MergeRequestApprovalRevoked', data: { ...ids, userId } }];
      }
      case 'StartMerge': {
        if (state.status !== 'opened' || isDraft(state.title)) throw new Rejection('merge_not_allowed');
        const { type: _, ...merge } = command;
        return [
          ...squashAsked(state, ids, merge.squash),
          { type: 'MergeRequestMergeStarted', data: { ...merge, ...ids, ...MERGE_STARTED } },
        ];
      }
      case 'FinishMerge':
        return finish(command, state, ids);
      case 'FailMerge': {
        const { mergeId, reason, message } = command;
        if (!isMerging(state, mergeId)) return [];
        return [
          { type: 'MergeRequestMergeFailed', data: { ...ids, mergeId, reason, message, ...MERGE_FAILED } },
        ];
      }
      case 'SetTimeEstimate':
      case 'AddTimeSpent':
      case 'ResetTimeSpent':
        return bookTime(command, state, ids);
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    if (event.type === 'MergeRequestCreated') {
      const times = { timeEstimate: 0, timeSpent: 0 };
      const none = { discussionLocked: false, approvals: [], merge: null, autoMerge: null };
      return { ...event.data, ...times, ...none, status: 'opened' };
    }
    if (state.status === 'absent' || state.status === 'deleted') return state;
    switch (event.type) {
      case 'MergeRequestUpdated':
        return { ...state, ...event.data.changes };
      case 'MergeRequestClosed':
        return { ...state, status: 'closed' };
      case 'MergeRequestReopened':
        return { ...state, status: 'opened' };
      case 'MergeRequestDeleted':
        return { status: 'deleted' };
      case 'MergeRequestApproved':
        return {
          ...state,
          approvals: [...state.approvals, { userId: event.data.userId, sha: event.data.sha }],
        };
      case 'MergeRequestApprovalRevoked':
      case 'MergeRequestApprovalEnded':
        return { ...state, approvals: state.approvals.filter(({ userId }) => userId !== event.data.userId) };
      case 'MergeRequestMergeStarted':
        return { ...state, status: 'locked', merge: event.data, autoMerge: null };
      case 'MergeRequestAutoMergeSet':
        return { ...state, autoMerge: waiting(event.data) };
      case 'MergeRequestAutoMergeCanceled':
        return { ...state, autoMerge: null };
      case 'MergeRequestMerged':
        return { ...state, status: 'merged', autoMerge: null };
      case 'MergeRequestMergeFailed':
        return { ...state, status: 'opened' };
      case 'MergeRequestTimeEstimateSet':
        return { ...state, timeEstimate: event.data.seconds };
      case 'MergeRequestTimeSpentAdded':
        return { ...state, timeSpent: state.timeSpent + event.data.seconds };
      case 'MergeRequestTimeSpentReset':
        return { ...state, timeSpent: 0 };
      default:
        return event satisfies never;
    }
  },
};

function waiting({
  mergeRequestId: _,
  projectId: __,
  iid: ___,
  ...set
}: EventOf<typeof MergeRequestAutoMergeSet>['data']): AutoMerge {
  return set;
}

type Present = Exclude<MergeRequestState, { status: 'absent' | 'deleted' }>;

/** Ends the approvals of other commits. */
const approvalResets = (
  { approvals }: Present,
  ids: { mergeRequestId: number; projectId: number; iid: number },
  sha: string,
) =>
  approvals
    .filter((approval) => approval.sha !== sha)
    .map(({ userId }) => ({ type: 'MergeRequestApprovalEnded' as const, data: { ...ids, userId, sha } }));

/** Whether this attempt to merge is under way. */
export const isMerging = (state: MergeRequestState, mergeId: string): boolean =>
  state.status === 'locked' && state.merge?.mergeId === mergeId;

/**
 * The merge is in git already, so it is recorded whatever the request has become; once. A push merges what is open: a
 * merge that is under way tells it by itself.
 */
function finish(
  { mergeId, mergedById, ...command }: Extract<MergeRequestCommand, { type: 'FinishMerge' }>,
  state: Present,
  ids: { mergeRequestId: number; projectId: number; iid: number },
): MergeRequestEvent[] {
  if (state.status === 'merged' || (mergeId === null && state.status !== 'opened')) return [];
  const { sha, mergeCommitSha, squashCommitSha } = command;
  // What was closed meanwhile is as good as open.
  const before = state.status === 'locked' ? 'locked' : 'opened';
  const change = { changes: { state: 'merged' }, previous: { state: before } } as const;
  return [
    {
      type: 'MergeRequestMerged',
      data: { ...ids, mergeId, mergedById, sha, mergeCommitSha, squashCommitSha, ...change },
    },
  ];
}

/** The fields that are for planning, which author and assignees leave to Reporters. */
const PLANNING = [
  'labels',
  'labelIds',
  'assigneeIds',
  'reviewerIds',
  'milestoneId',
  'discussionLocked',
] as const;

/**
 * Developers, the author and the assignees change it. What is for planning takes a Reporter: of others it is left
 * aside, as at the creation. Everyone else is refused.
 */
function update(
  {
    actor,
    changes,
    labels,
    stateEvent,
    tips,
    updatedAt,
  }: Extract<MergeRequestCommand, { type: 'UpdateMergeRequest' }>,
  state: Present,
  ids: { mergeRequestId: number; projectId: number; iid: number },
): MergeRequestEvent[] {
  const isOwn = actor.userId === state.authorId || state.assigneeIds.includes(actor.userId);
  if (!isOwn && actor.level < DEVELOPER) throw new Rejection('forbidden', {});
  const wanted: MergeRequestContent = {
    ...state,
    ...changes,
    ...labelsAfter(state, labels),
    title: (changes.title ?? state.title).trim(),
  };
  // What is merged stays where it is.
  if (state.status === 'merged') wanted.targetBranch = state.targetBranch;
  if (actor.level < REPORTER) for (const field of PLANNING) Object.assign(wanted, { [field]: state[field] });
  const change = changesFrom<MergeRequestContent>(state, wanted);
  const events: MergeRequestEvent[] = [];
  if (change !== null || updatedAt !== null) {
    requireValid(wanted);
    requireTwoBranches({ ...state, ...wanted, projectId: ids.projectId });
    const { changes, previous } = change ?? { changes: {}, previous: {} };
    const targetSha = changes.targetBranch === undefined ? null : tips!.targetSha;
    events.push({ type: 'MergeRequestUpdated', data: { ...ids, changes, previous, targetSha, updatedAt } });
    if (targetSha !== null) events.push(...canceled(state, ids, 'target changed'));
  }
  if (stateEvent === 'close' && state.status === 'opened') {
    events.push({
      type: 'MergeRequestClosed',
      data: { ...ids, closedById: actor.userId, ...MERGE_REQUEST_CLOSED },
    });
    if (!events.some(({ type }) => type === 'MergeRequestAutoMergeCanceled'))
      events.push(...canceled(state, ids, 'closed'));
  }
  if (stateEvent === 'reopen' && state.status === 'closed')
    events.push({ type: 'MergeRequestReopened', data: { ...ids, ...tips!, ...MERGE_REQUEST_REOPENED } });
  return events;
}

function requireTwoBranches({
  projectId,
  sourceProjectId,
  sourceBranch,
  targetBranch,
}: Pick<Created, 'projectId' | 'sourceProjectId' | 'sourceBranch' | 'targetBranch'>): void {
  if (projectId === sourceProjectId && sourceBranch === targetBranch)
    throw new Rejection('branches_refused', {
      problems: ["You can't use same project/branch for source and target"],
    });
}
