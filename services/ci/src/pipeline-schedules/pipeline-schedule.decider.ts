import type { PipelineScheduleEvent } from '@forgelog/contracts/ci/pipeline-schedules/pipeline-schedule.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom, withSecret } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { nextTime } from '../shared/cron.ts';
import {
  requireValidSchedule,
  requireValidVariable,
  type ScheduleVariable,
} from './pipeline-schedule.rules.ts';

interface Attributes {
  ownerId: number;
  description: string;
  ref: string;
  cron: string;
  cronTimezone: string;
  active: boolean;
}

type Schedule = Attributes & {
  projectId: number;
  nextRunAt: string | null;
  sealedVariables: readonly ScheduleVariable[];
};

export type PipelineScheduleState =
  | { status: 'absent' }
  | ({ status: 'present' } & Schedule)
  | { status: 'deleted' };

type On = { pipelineScheduleId: number; projectId: number };
/** A developer may change only what they own. */
type By = { by: { userId: number; isMaintainer: boolean } };

export type PipelineScheduleCommand =
  | ({ type: 'CreatePipelineSchedule'; now: string } & On & Attributes)
  | ({
      type: 'UpdatePipelineSchedule';
      changes: { [Name in keyof Attributes]?: Attributes[Name] | undefined };
      now: string;
    } & On &
      By)
  | ({ type: 'DeletePipelineSchedule' } & On & By)
  | ({ type: 'AddScheduleVariable'; variable: ScheduleVariable } & On & By)
  | ({
      type: 'ChangeScheduleVariable';
      key: string;
      value: string;
      variableType: ScheduleVariable['variableType'] | undefined;
    } & On &
      By)
  | ({ type: 'RemoveScheduleVariable'; key: string } & On & By)
  | ({ type: 'PlayPipelineSchedule'; userId: number } & On)
  /** Does nothing unless the schedule is due, so that it can be repeated. */
  | ({ type: 'RunDuePipelineSchedule'; now: string } & On)
  /** Does nothing if somebody else owns the schedule by now. */
  | ({ type: 'DeactivateSchedulesOf'; userId: number } & On);

export const pipelineScheduleStream = (id: number) => `pipelineSchedule-${id}`;

export const pipelineScheduleDecider: Decider<
  PipelineScheduleState,
  PipelineScheduleCommand,
  PipelineScheduleEvent
> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { pipelineScheduleId, projectId } = command;
    const ids = { pipelineScheduleId, projectId };
    if (command.type === 'CreatePipelineSchedule') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      requireValidSchedule(command);
      const { type: _, now, ...data } = command;
      const nextRunAt = nextTime(data.cron, data.cronTimezone, now);
      return [{ type: 'PipelineScheduleCreated', data: { ...data, nextRunAt } }];
    }
    const isPresent = state.status === 'present' && state.projectId === projectId;
    if (command.type === 'RunDuePipelineSchedule') {
      if (!isPresent || !state.active || state.nextRunAt === null || state.nextRunAt > command.now) return [];
      const { ownerId: userId, nextRunAt: dueAt } = state;
      const nextRunAt = nextTime(state.cron, state.cronTimezone, command.now);
      const change = changesFrom<Pick<Schedule, 'nextRunAt'>>(state, { nextRunAt })!;
      return [{ type: 'PipelineScheduleRan', data: { ...ids, userId, dueAt, ...change } }];
    }
    if (command.type === 'DeactivateSchedulesOf') {
      if (!isPresent || !state.active || state.ownerId !== command.userId) return [];
      return updated(ids, changesFrom<Schedule>(state, { active: false }));
    }
    if (!isPresent) throw new Rejection('record_not_found');
    if ('by' in command && !command.by.isMaintainer && command.by.userId !== state.ownerId)
      throw new Rejection('forbidden', {});
    switch (command.type) {
      case 'UpdatePipelineSchedule':
        return updated(ids, changesFrom<Schedule>(state, withNextRun(state, command)));
      case 'DeletePipelineSchedule':
        return [{ type: 'PipelineScheduleDeleted', data: ids }];
      case 'AddScheduleVariable': {
        requireValidVariable(command.variable, state.sealedVariables);
        return updated(ids, null, [...state.sealedVariables, command.variable]);
      }
      case 'ChangeScheduleVariable': {
        const { key, value } = command;
        const present = variableOf(state, key);
        const variable = { key, value, variableType: command.variableType ?? present.variableType };
        requireValidVariable(
          variable,
          state.sealedVariables.filter((other) => other.key !== key),
        );
        return updated(
          ids,
          null,
          state.sealedVariables.map((other) => (other.key === key ? variable : other)),
        );
      }
      case 'RemoveScheduleVariable': {
        const removed = variableOf(state, command.key);
        return updated(
          ids,
          null,
          state.sealedVariables.filter((other) => other !== removed),
        );
      }
      case 'PlayPipelineSchedule': {
        const data = { ...ids, userId: command.userId, dueAt: null, changes: {}, previous: {} };
        return [{ type: 'PipelineScheduleRan', data }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'PipelineScheduleCreated': {
        const { pipelineScheduleId: _, ...schedule } = event.data;
        return { status: 'present', ...schedule, sealedVariables: [] };
      }
      case 'PipelineScheduleUpdated':
      case 'PipelineScheduleRan':
        return state.status === 'present' ? { ...state, ...event.data.changes } : state;
      case 'PipelineScheduleDeleted':
        return { status: 'deleted' };
      default:
        return event satisfies never;
    }
  },
};

function updated(
  ids: On,
  change: Parameters<typeof withSecret<Schedule, 'variables', { sealedVariables: ScheduleVariable[] }>>[0],
  sealedVariables?: ScheduleVariable[],
): PipelineScheduleEvent[] {
  const whole = withSecret(change, 'variables', sealedVariables && { sealedVariables });
  return whole === null ? [] : [{ type: 'PipelineScheduleUpdated', data: { ...ids, ...whole } }];
}

/** Runs that were missed while the schedule was inactive are not made up for. */
function withNextRun(
  state: Schedule,
  { changes, now }: Extract<PipelineScheduleCommand, { type: 'UpdatePipelineSchedule' }>,
): Partial<Attributes & Pick<Schedule, 'nextRunAt'>> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const wanted: Schedule = { ...state, ...given };
  requireValidSchedule(wanted);
  const { cron, cronTimezone, active } = wanted;
  const isSame = cron === state.cron && cronTimezone === state.cronTimezone && active === state.active;
  return isSame ? given : { ...given, nextRunAt: nextTime(cron, cronTimezone, now) };
}

function variableOf({ sealedVariables }: Schedule, key: string): ScheduleVariable {
  const found = sealedVariables.find((variable) => variable.key === key);
  if (!found) throw new Rejection('not_found', { what: 'Variable' });
  return found;
}
