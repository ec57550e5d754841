import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ErrorStatus } from '@forgelog/contracts/tracker/error-tracking/tracked-error.api.ts';
import type { TrackedErrorEvent } from '@forgelog/contracts/tracker/error-tracking/tracked-error.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import type { ErrorFacts, Occurrence } from './reported-error.rules.ts';

/** Null while it was never seen, and after it was deleted. */
export type TrackedErrorState = {
  trackedErrorId: number;
  status: ErrorStatus;
  occurrences: number;
  lastSeenAt: string;
} | null;

export type TrackedErrorCommand = { projectId: number; fingerprint: string } & (
  | {
      type: 'ReportError';
      /** The id that a new one gets. */
      trackedErrorId: number;
      facts: ErrorFacts;
      occurrence: Occurrence;
    }
  /** Occurrences that were counted since the last time. */
  | { type: 'CountOccurrences'; occurrences: number; lastSeenAt: string }
  | { type: 'SetErrorStatus'; trackedErrorId: number; status: ErrorStatus }
  | { type: 'DeleteError'; trackedErrorId: number }
);

export const trackedErrorStream = (projectId: number, fingerprint: string) =>
  `trackedError-${projectId}-${fingerprint}`;

export const trackedErrorDecider: Decider<TrackedErrorState, TrackedErrorCommand, TrackedErrorEvent> = {
  initialState: null,

  decide(command, state) {
    const { projectId, fingerprint } = command;
    switch (command.type) {
      case 'ReportError': {
        const { trackedErrorId, facts, occurrence } = command;
        if (state === null) {
          const data = { trackedErrorId, projectId, fingerprint, ...facts, occurrence };
          return [{ type: 'TrackedErrorCreated', data }];
        }
        const ids = { trackedErrorId: state.trackedErrorId, projectId, fingerprint };
        const seen = seenAgain(state, 1, occurrence.seenAt);
        if (state.status !== 'resolved') return [{ type: 'TrackedErrorSeen', data: { ...ids, ...seen } }];
        return [
          {
            type: 'TrackedErrorReopened',
            data: {
              ...ids,
              changes: { status: 'unresolved', ...seen.changes },
              previous: { status: state.status, ...seen.previous },
              occurrence,
            },
          },
        ];
      }
      case 'CountOccurrences': {
        // It was deleted since they were counted.
        if (state === null) return [];
        const seen = seenAgain(state, command.occurrences, command.lastSeenAt);
        const { trackedErrorId } = state;
        return [{ type: 'TrackedErrorSeen', data: { trackedErrorId, projectId, fingerprint, ...seen } }];
      }
      case 'SetErrorStatus': {
        const { trackedErrorId } = requireSame(command, state);
        const change = changesFrom<{ status: ErrorStatus }>(state!, { status: command.status });
        if (change === null) return [];
        return [{ type: 'TrackedErrorUpdated', data: { trackedErrorId, projectId, fingerprint, ...change } }];
      }
      case 'DeleteError': {
        const { trackedErrorId } = requireSame(command, state);
        return [{ type: 'TrackedErrorDeleted', data: { trackedErrorId, projectId, fingerprint } }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'TrackedErrorCreated': {
        const { trackedErrorId, occurrence } = event.data;
        return { trackedErrorId, status: 'unresolved', occurrences: 1, lastSeenAt: occurrence.seenAt };
      }
      case 'TrackedErrorSeen':
      case 'TrackedErrorReopened':
      case 'TrackedErrorUpdated':
        return state && { ...state, ...event.data.changes };
      case 'TrackedErrorDeleted':
        return null;
      default:
        return event satisfies never;
    }
  },
};

/** Replicas write at different times what they counted, so the later time stays. */
function seenAgain(state: NonNullable<TrackedErrorState>, more: number, at: string) {
  const { occurrences, lastSeenAt } = state;
  return {
    changes: { occurrences: occurrences + more, lastSeenAt: at > lastSeenAt ? at : lastSeenAt },
    previous: { occurrences, lastSeenAt },
  };
}

/** @throws 404 where it was deleted, or is another one by now */
function requireSame({ trackedErrorId }: { trackedErrorId: number }, state: TrackedErrorState) {
  if (state?.trackedErrorId !== trackedErrorId) throw new Rejection('record_not_found');
  return state;
}
