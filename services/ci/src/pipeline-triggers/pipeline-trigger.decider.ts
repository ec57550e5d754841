import type { PipelineTriggerEvent } from '@forgelog/contracts/ci/pipeline-triggers/pipeline-trigger.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

export type PipelineTriggerState =
  | { status: 'absent' }
  | { status: 'present'; projectId: number; description: string; lastUsedAt: string | null }
  | { status: 'deleted' };

interface Ids {
  pipelineTriggerId: number;
  projectId: number;
}

export type PipelineTriggerCommand =
  | ({
      type: 'CreatePipelineTrigger';
      ownerId: number;
      description: string;
      tokenSha256: string;
      sealedToken: string;
      shortToken: string;
    } & Ids)
  | ({ type: 'UpdatePipelineTrigger'; description: string | undefined } & Ids)
  | ({ type: 'UsePipelineTrigger'; pipelineId: number; now: string } & Ids)
  | ({ type: 'DeletePipelineTrigger' } & Ids);

export const pipelineTriggerStream = (id: number) => `pipelineTrigger-${id}`;

export const pipelineTriggerDecider: Decider<
  PipelineTriggerState,
  PipelineTriggerCommand,
  PipelineTriggerEvent
> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { pipelineTriggerId, projectId } = command;
    if (command.type === 'CreatePipelineTrigger') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      const { type: _, ...data } = command;
      return [{ type: 'PipelineTriggerCreated', data }];
    }
    // The id in the path may belong to another project.
    if (state.status !== 'present' || state.projectId !== projectId) throw new Rejection('record_not_found');
    switch (command.type) {
      case 'UpdatePipelineTrigger': {
        const change = changesFrom<{ description: string }>(state, { description: command.description });
        if (change === null) return [];
        return [{ type: 'PipelineTriggerUpdated', data: { pipelineTriggerId, projectId, ...change } }];
      }
      case 'UsePipelineTrigger': {
        const { pipelineId, now: lastUsedAt } = command;
        const change = changesFrom<{ lastUsedAt: string | null }>(state, { lastUsedAt });
        const data = { pipelineTriggerId, projectId, pipelineId, ...(change ?? NO_CHANGE) };
        return [{ type: 'PipelineTriggerUsed', data }];
      }
      case 'DeletePipelineTrigger':
        return [{ type: 'PipelineTriggerDeleted', data: { pipelineTriggerId, projectId } }];
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'PipelineTriggerCreated': {
        const { projectId, description } = event.data;
        return { status: 'present', projectId, description, lastUsedAt: null };
      }
      case 'PipelineTriggerUpdated':
      case 'PipelineTriggerUsed':
        return state.status === 'present' ? { ...state, ...event.data.changes } : state;
      case 'PipelineTriggerDeleted':
        return { status: 'deleted' };
      default:
        return event satisfies never;
    }
  },
};

const NO_CHANGE = { changes: {}, previous: {} };
