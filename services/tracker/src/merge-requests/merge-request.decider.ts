import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import {
  MERGE_REQUEST_CLOSED,
  MERGE_REQUEST_REOPENED,
  type MergeRequestCreated,
  type MergeRequestEvent,
  type MergeRequestUpdated,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { distinctLabels, requireValid } from '../targets/target-content.rules.ts';
import { type TimeCommand, type Times, timeBooking } from '../time-tracking/time-tracking.decider.ts';

/** What people write into a merge request. */
export type MergeRequestContent = Required<EventOf<typeof MergeRequestUpdated>['data']['changes']>;
type Created = EventOf<typeof MergeRequestCreated>['data'];

interface Facts extends Times, MergeRequestContent {
  mergeRequestId: number;
  authorId: number;
  sourceProjectId: number;
  sourceBranch: string;
  approvedByIds: readonly number[];
}

export type MergeRequestState =
  | { status: 'absent' }
  | ({ status: 'opened' | 'closed' } & Facts)
  | { status: 'deleted' };

/** Commits of the branches as the repository has them. */
export interface Tips {
  sourceSha: string;
  targetSha: string;
}

interface Place {
  projectId: number;
  iid: number;
}

export type MergeRequestCommand = Place &
  (
    | ({ type: 'CreateMergeRequest' } & Created)
    | {
        type: 'UpdateMergeRequest';
        /** The caller with their access level in the project. */
        actor: { userId: number; level: number };
        changes: Partial<MergeRequestContent>;
        addLabels: readonly string[];
        removeLabels: readonly string[];
        stateEvent: 'close' | 'reopen' | null;
        /** Commits of the branches after the change; null where no branch changes and it is not opened again. */
        tips: Tips | null;
        updatedAt: string | null;
      }
    | { type: 'DeleteMergeRequest' }
    | { type: 'ApproveMergeRequest'; userId: number; sha: string }
    | { type: 'RevokeApproval'; userId: number }
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
      const { type: _, ...given } = command;
      const data = { ...given, title: command.title.trim() };
      requireValid(data);
      requireTwoBranches(data);
      return [{ type: 'MergeRequestCreated', data }];
    }
    if (state.status === 'absent' || state.status === 'deleted') throw new Rejection('record_not_found');
    const ids = { mergeRequestId: state.mergeRequestId, projectId, iid };
    switch (command.type) {
      case 'UpdateMergeRequest':
        return update(command, state, ids);
      case 'DeleteMergeRequest':
        return [{ type: 'MergeRequestDeleted', data: ids }];
      case 'ApproveMergeRequest': {
        const { userId, sha } = command;
        const mayApprove = state.status === 'opened' && userId !== state.authorId;
        if (!mayApprove || state.approvedByIds.includes(userId)) throw new Rejection('unauthorized');
        return [{ type: 'MergeRequestApproved', data: { ...ids, userId, sha } }];
      }
      case 'RevokeApproval': {
        const { userId } = command;
        if (!state.approvedByIds.includes(userId)) throw new Rejection('record_not_found');
        return [{ type: 'MergeRequestApprovalRevoked', data: { ...ids, userId } }];
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
      return { ...event.data, ...times, status: 'opened', discussionLocked: false, approvedByIds: [] };
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
        return { ...state, approvedByIds: [...state.approvedByIds, event.data.userId] };
      case 'MergeRequestApprovalRevoked':
        return { ...state, approvedByIds: state.approvedByIds.filter((id) => id !== event.data.userId) };
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

type Present = Extract<MergeRequestState, { status: 'opened' | 'closed' }>;

/** The fields that are for planning, which author and assignees leave to Reporters. */
const PLANNING = ['labels', 'assigneeIds', 'reviewerIds', 'milestoneId', 'discussionLocked'] as const;

/**
 * Developers, the author and the assignees change it. What is for planning takes a Reporter: of others it is left
 * aside, as at the creation. Everyone else is refused.
 */
function update(
  {
    actor,
    changes,
    addLabels,
    removeLabels,
    stateEvent,
    tips,
    updatedAt,
  }: Extract<MergeRequestCommand, { type: 'UpdateMergeRequest' }>,
  state: Present,
  ids: { mergeRequestId: number; projectId: number; iid: number },
): MergeRequestEvent[] {
  const isOwn = actor.userId === state.authorId || state.assigneeIds.includes(actor.userId);
  if (!isOwn && actor.level < DEVELOPER) throw new Rejection('forbidden', {});
  const labels = [...(changes.labels ?? state.labels), ...addLabels];
  const wanted: MergeRequestContent = {
    ...state,
    ...changes,
    labels: distinctLabels(labels.filter((label) => !removeLabels.includes(label))),
    title: (changes.title ?? state.title).trim(),
  };
  if (actor.level < REPORTER) for (const field of PLANNING) Object.assign(wanted, { [field]: state[field] });
  const change = changesFrom<MergeRequestContent>(state, wanted);
  const events: MergeRequestEvent[] = [];
  if (change !== null || updatedAt !== null) {
    requireValid(wanted);
    requireTwoBranches({ ...state, ...wanted, projectId: ids.projectId });
    const { changes, previous } = change ?? { changes: {}, previous: {} };
    const targetSha = changes.targetBranch === undefined ? null : tips!.targetSha;
    events.push({ type: 'MergeRequestUpdated', data: { ...ids, changes, previous, targetSha, updatedAt } });
  }
  if (stateEvent === 'close' && state.status === 'opened')
    events.push({
      type: 'MergeRequestClosed',
      data: { ...ids, closedById: actor.userId, ...MERGE_REQUEST_CLOSED },
    });
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
