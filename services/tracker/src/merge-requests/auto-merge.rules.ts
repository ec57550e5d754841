import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import {
  MERGE_STARTED,
  type MergeRequestAutoMergeCanceled,
  type MergeRequestAutoMergeSet,
  type MergeRequestEvent,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';

interface Ids {
  mergeRequestId: number;
  projectId: number;
  iid: number;
}

/** What is merged when the pipeline succeeds, and how. */
export type AutoMerge = Omit<EventOf<typeof MergeRequestAutoMergeSet>['data'], keyof Ids>;

export type CancelReason = EventOf<typeof MergeRequestAutoMergeCanceled>['data']['reason'];

interface State {
  status: 'opened' | 'closed' | 'locked' | 'merged';
  isDraft: boolean;
  squash: boolean;
  autoMerge: AutoMerge | null;
}

export type AutoMergeCommand =
  | ({ type: 'SetAutoMerge' } & AutoMerge)
  /** `mergeId` names what is canceled; null for whatever is set, as a caller asks for. */
  | { type: 'CancelAutoMerge'; mergeId: string | null; reason: CancelReason }
  /** The pipeline succeeded. Texts are those of `AutoMerge`, or else of the project. */
  | { type: 'StartAutoMerge'; mergeId: string; mergeMessage: string; squashMessage: string };

export const isOfAutoMerge = <C extends { type: string }>(
  command: C,
): command is Extract<C, { type: AutoMergeCommand['type'] }> =>
  ['SetAutoMerge', 'CancelAutoMerge', 'StartAutoMerge'].includes(command.type);

/** Nothing where none is set. */
export const canceled = (
  { autoMerge }: Pick<State, 'autoMerge'>,
  ids: Ids,
  reason: CancelReason,
): MergeRequestEvent[] =>
  autoMerge === null
    ? []
    : [{ type: 'MergeRequestAutoMergeCanceled', data: { ...ids, mergeId: autoMerge.mergeId, reason } }];

/** A merge may ask for another way than the merge request says, which says that one from then on. */
export const squashAsked = (
  { squash }: Pick<State, 'squash'>,
  ids: Ids,
  asked: boolean,
): MergeRequestEvent[] =>
  squash === asked
    ? []
    : [
        {
          type: 'MergeRequestUpdated',
          data: {
            ...{ ...ids, changes: { squash: asked }, previous: { squash } },
            ...{ targetSha: null, updatedAt: null },
          },
        },
      ];

/** @throws merge_not_allowed, not_mergeable */
export function autoMergeEvents(command: AutoMergeCommand, state: State, ids: Ids): MergeRequestEvent[] {
  const { status, isDraft, autoMerge } = state;
  switch (command.type) {
    case 'SetAutoMerge': {
      if (status !== 'opened' || isDraft) throw new Rejection('merge_not_allowed');
      const { type: _, ...wanted } = command;
      if (isSame(wanted, autoMerge)) return [];
      return [
        ...canceled(state, ids, 'set again'),
        ...squashAsked(state, ids, wanted.squash),
        { type: 'MergeRequestAutoMergeSet', data: { ...ids, ...wanted } },
      ];
    }
    case 'CancelAutoMerge': {
      const { mergeId, reason } = command;
      if (mergeId !== null) return mergeId === autoMerge?.mergeId ? canceled(state, ids, reason) : [];
      if (status !== 'opened') throw new Rejection('merge_not_allowed');
      if (autoMerge === null) throw new Rejection('not_mergeable');
      return canceled(state, ids, reason);
    }
    case 'StartAutoMerge': {
      // It was canceled, or begun by another process.
      if (status !== 'opened' || command.mergeId !== autoMerge?.mergeId) return [];
      const { mergeMessage, squashMessage } = command;
      const merge = { ...autoMerge, squash: state.squash, mergeMessage, squashMessage, ...MERGE_STARTED };
      return [{ type: 'MergeRequestMergeStarted', data: { ...ids, ...merge } }];
    }
    default:
      return command satisfies never;
  }
}

function isSame(wanted: AutoMerge, set: AutoMerge | null): boolean {
  if (set === null) return false;
  const { mergeId, ...rest } = wanted;
  return Object.entries(rest).every(([name, value]) => set[name as keyof AutoMerge] === value);
}
