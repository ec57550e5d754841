import type { FreezePeriodEvent } from '@forgelog/contracts/ci/freeze-periods/freeze-period.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { isCron, isTimeZone } from '../shared/cron.ts';

export type FreezePeriodState =
  | { status: 'absent' }
  | { status: 'present'; projectId: number; freezeStart: string; freezeEnd: string; cronTimezone: string }
  | { status: 'deleted' };

interface Period {
  freezeStart: string;
  freezeEnd: string;
  cronTimezone: string;
}

export type FreezePeriodCommand =
  | ({ type: 'CreateFreezePeriod'; freezePeriodId: number; projectId: number } & Period)
  | { type: 'UpdateFreezePeriod'; freezePeriodId: number; projectId: number; changes: Partial<Period> }
  | { type: 'DeleteFreezePeriod'; freezePeriodId: number; projectId: number };

export const freezePeriodStream = (id: number) => `freezePeriod-${id}`;

export const freezePeriodDecider: Decider<FreezePeriodState, FreezePeriodCommand, FreezePeriodEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { freezePeriodId, projectId } = command;
    if (command.type === 'CreateFreezePeriod') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      const { freezeStart, freezeEnd, cronTimezone } = command;
      requireValid({ freezeStart, freezeEnd, cronTimezone });
      return [
        {
          type: 'FreezePeriodCreated',
          data: { freezePeriodId, projectId, freezeStart, freezeEnd, cronTimezone },
        },
      ];
    }
    // The id in the path may belong to another project.
    if (state.status !== 'present' || state.projectId !== projectId) throw new Rejection('record_not_found');
    switch (command.type) {
      case 'UpdateFreezePeriod': {
        const change = changesFrom<Period>(state, command.changes);
        if (change === null) return [];
        requireValid({ ...state, ...change.changes });
        return [{ type: 'FreezePeriodUpdated', data: { freezePeriodId, projectId, ...change } }];
      }
      case 'DeleteFreezePeriod':
        return [{ type: 'FreezePeriodDeleted', data: { freezePeriodId, projectId } }];
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'FreezePeriodCreated': {
        const { projectId, freezeStart, freezeEnd, cronTimezone } = event.data;
        return { status: 'present', projectId, freezeStart, freezeEnd, cronTimezone };
      }
      case 'FreezePeriodUpdated':
        return state.status === 'present' ? { ...state, ...event.data.changes } : state;
      case 'FreezePeriodDeleted':
        return { status: 'deleted' };
      default:
        return event satisfies never;
    }
  },
};

/** Reports all problems at once. */
function requireValid({ freezeStart, freezeEnd, cronTimezone }: Period): void {
  const fields: Record<string, string[]> = {};
  if (!isTimeZone(cronTimezone)) fields.cron_timezone = ['is invalid syntax'];
  if (!isCron(freezeStart)) fields.freeze_start = ['is invalid syntax'];
  if (!isCron(freezeEnd)) fields.freeze_end = ['is invalid syntax'];
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}
