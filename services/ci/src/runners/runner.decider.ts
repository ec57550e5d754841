import type { RunnerEvent } from '@forgelog/contracts/ci/runners/runner.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

type Registered = Extract<RunnerEvent, { type: 'RunnerRegistered' }>['data'];
type RemovalReason = Extract<RunnerEvent, { type: 'RunnerRemoved' }>['data']['reason'];

export type RunnerPlace = Pick<Registered, 'runnerType' | 'groupId' | 'projectId'>;
export type RunnerAttributes = Omit<Registered, 'runnerId' | 'tokenSha256' | keyof RunnerPlace>;

export type RunnerState =
  | { status: 'absent' | 'removed' }
  | {
      status: 'registered';
      place: RunnerPlace;
      attributes: RunnerAttributes;
      projectIds: readonly number[];
    };

export type RunnerCommand = { runnerId: number } & (
  | { type: 'RegisterRunner'; place: RunnerPlace; attributes: RunnerAttributes; tokenSha256: string }
  | {
      type: 'UpdateRunner';
      changes: { [Name in keyof RunnerAttributes]?: RunnerAttributes[Name] | undefined };
    }
  /** `evenIfLocked` for administrators. */
  | { type: 'EnableRunner'; projectId: number; evenIfLocked: boolean }
  | { type: 'DisableRunner'; projectId: number }
  /** `evenIfShared`: also where it works for several projects. */
  | { type: 'RemoveRunner'; reason: RemovalReason; evenIfShared: boolean }
  | { type: 'LeaveDeletedProject'; projectId: number }
);

const SHORTEST_TIMEOUT_S = 600;

export const runnerStream = (id: number) => `runner-${id}`;

export const runnerDecider: Decider<RunnerState, RunnerCommand, RunnerEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { runnerId } = command;
    if (command.type === 'RegisterRunner') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      const { place, attributes, tokenSha256 } = command;
      requireValid(attributes);
      const { projectId } = place;
      return [
        { type: 'RunnerRegistered', data: { runnerId, ...place, ...attributes, tokenSha256 } },
        ...(projectId === null
          ? []
          : [
              {
                type: 'RunnerEnabledForProject' as const,
                data: { runnerId, projectId, reason: 'registered' as const },
              },
            ]),
      ];
    }
    if (state.status !== 'registered') throw new Rejection('not_found', { what: 'Runner' });
    const { place, attributes, projectIds } = state;
    const leave = (projectId: number, reason: 'disabled' | 'removed' | 'deleted') => ({
      type: 'RunnerDisabledForProject' as const,
      data: { runnerId, projectId, reason },
    });
    const remove = (reason: RemovalReason) => ({
      type: 'RunnerRemoved' as const,
      data: { runnerId, ...place, reason },
    });
    switch (command.type) {
      case 'UpdateRunner': {
        const change = changesFrom<RunnerAttributes>(attributes, command.changes);
        if (change === null) return [];
        requireValid({ ...attributes, ...(change.changes as Partial<RunnerAttributes>) });
        return [{ type: 'RunnerUpdated', data: { runnerId, ...place, ...change } }];
      }
      case 'EnableRunner': {
        const { projectId, evenIfLocked } = command;
        if (place.runnerType === 'instance_type')
          throw new Rejection('forbidden', { reason: 'Runner is shared' });
        if (place.runnerType === 'group_type')
          throw new Rejection('forbidden', { reason: 'Runner is a group runner' });
        if (attributes.locked && !evenIfLocked)
          throw new Rejection('forbidden', { reason: 'Runner is locked' });
        if (projectIds.includes(projectId))
          throw new Rejection('validation_failed', { fields: { runner: ['has already been taken'] } });
        return [{ type: 'RunnerEnabledForProject', data: { runnerId, projectId, reason: 'enabled' } }];
      }
      case 'DisableRunner': {
        const { projectId } = command;
        if (!projectIds.includes(projectId)) throw new Rejection('not_found', { what: 'Runner' });
        if (projectIds.length === 1)
          throw new Rejection('forbidden', {
            reason: 'Only one project associated with the runner. Please remove the runner instead',
          });
        return [leave(projectId, 'disabled')];
      }
      case 'RemoveRunner':
        if (projectIds.length > 1 && !command.evenIfShared)
          throw new Rejection('forbidden', { reason: 'Runner associated with more than one project' });
        return [...projectIds.map((id) => leave(id, 'removed')), remove(command.reason)];
      case 'LeaveDeletedProject': {
        const { projectId } = command;
        if (!projectIds.includes(projectId)) return [];
        const left = leave(projectId, 'deleted');
        return projectIds.length > 1 ? [left] : [left, remove('deleted')];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    if (event.type === 'RunnerRegistered') {
      const { runnerId: _, tokenSha256: __, runnerType, groupId, projectId, ...attributes } = event.data;
      return { status: 'registered', place: { runnerType, groupId, projectId }, attributes, projectIds: [] };
    }
    if (state.status !== 'registered') return state;
    switch (event.type) {
      case 'RunnerUpdated':
        return { ...state, attributes: { ...state.attributes, ...event.data.changes } };
      case 'RunnerEnabledForProject':
        return { ...state, projectIds: [...state.projectIds, event.data.projectId] };
      case 'RunnerDisabledForProject':
        return { ...state, projectIds: state.projectIds.filter((id) => id !== event.data.projectId) };
      case 'RunnerRemoved':
        return { status: 'removed' };
      default:
        return event satisfies never;
    }
  },
};

/** Reports all problems at once. */
function requireValid({ tags, runUntagged, maximumTimeout }: RunnerAttributes): void {
  const fields: Record<string, string[]> = {};
  if (tags.length === 0 && !runUntagged)
    fields.tags_list = ['can not be empty when runner is not allowed to pick untagged jobs'];
  if (maximumTimeout !== null && maximumTimeout < SHORTEST_TIMEOUT_S)
    fields.maximum_timeout = ['needs to be at least 10 minutes'];
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}
