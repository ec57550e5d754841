import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ProtectedTagEvent } from '@forgelog/contracts/repo/protected-tags/protected-tag.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { protectedNameProblem } from '../refs/protected-name.rules.ts';

/** Id by name. */
export type ProtectedTagsState = ReadonlyMap<string, number>;

export type ProtectedTagCommand = { projectId: number; name: string } & (
  | { type: 'ProtectTag'; protectedTagId: number; createAccessLevel: number }
  | { type: 'UnprotectTag' }
);

export const protectedTagsStream = (projectId: number) => `protectedTags-${projectId}`;

export const protectedTagDecider: Decider<ProtectedTagsState, ProtectedTagCommand, ProtectedTagEvent> = {
  initialState: new Map(),

  decide(command, state) {
    const { projectId, name } = command;
    switch (command.type) {
      case 'ProtectTag': {
        const { type: _, ...data } = command;
        const problem = state.has(name)
          ? 'Name has already been taken'
          : protectedNameProblem('tag', name, state.size);
        if (problem) throw new Rejection('unprocessable', { message: [problem] });
        return [{ type: 'ProtectedTagCreated', data }];
      }
      case 'UnprotectTag': {
        const protectedTagId = state.get(name);
        if (protectedTagId === undefined) throw new Rejection('record_not_found');
        return [{ type: 'ProtectedTagDeleted', data: { protectedTagId, projectId, name } }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    const { name, protectedTagId } = event.data;
    const next = new Map(state);
    switch (event.type) {
      case 'ProtectedTagCreated':
        next.set(name, protectedTagId);
        break;
      case 'ProtectedTagDeleted':
        next.delete(name);
        break;
      default:
        event satisfies never;
    }
    return next;
  },
};
