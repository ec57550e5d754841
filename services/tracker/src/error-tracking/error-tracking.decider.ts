import type { ErrorTrackingEvent } from '@forgelog/contracts/tracker/error-tracking/error-tracking.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

interface Settings {
  active: boolean;
  integrated: boolean;
}

/** Null until they are set for the first time. */
export type ErrorTrackingState = Settings | null;

export interface ErrorTrackingCommand {
  type: 'ChangeErrorTracking';
  projectId: number;
  /** Undefined keeps the current value. */
  changes: { active: boolean; integrated: boolean | undefined };
}

export const errorTrackingStream = (projectId: number) => `errorTracking-${projectId}`;

export const errorTrackingDecider: Decider<ErrorTrackingState, ErrorTrackingCommand, ErrorTrackingEvent> = {
  initialState: null,

  decide({ projectId, changes }, state) {
    if (state === null) {
      const { active, integrated = false } = changes;
      return [{ type: 'ErrorTrackingCreated', data: { projectId, active, integrated } }];
    }
    const change = changesFrom<Settings>(state, changes);
    return change === null ? [] : [{ type: 'ErrorTrackingUpdated', data: { projectId, ...change } }];
  },

  evolve(state, event) {
    switch (event.type) {
      case 'ErrorTrackingCreated': {
        const { active, integrated } = event.data;
        return { active, integrated };
      }
      case 'ErrorTrackingUpdated':
        return state && { ...state, ...event.data.changes };
      default:
        return event satisfies never;
    }
  },
};
