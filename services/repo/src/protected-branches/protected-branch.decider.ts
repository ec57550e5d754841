import { Rejection } from '@forgelog/contracts/errors.ts';
import type {
  ProtectedBranchEvent,
  RefAdmission,
} from '@forgelog/contracts/repo/protected-branches/protected-branch.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { type AdmittedCaller, isAdmitted } from '../refs/admission.rules.ts';
import { protectedNameProblem } from '../refs/protected-name.rules.ts';

export interface BranchRules {
  pushAccess: RefAdmission[];
  mergeAccess: RefAdmission[];
  unprotectAccess: RefAdmission[];
  allowForcePush: boolean;
  codeOwnerApprovalRequired: boolean;
}

/** Undefined keeps a rule. */
export type BranchChanges = { [Name in keyof BranchRules]?: BranchRules[Name] | undefined };

interface ProtectedBranch extends BranchRules {
  name: string;
}

/** By id. */
export type ProtectedBranchesState = ReadonlyMap<number, ProtectedBranch>;

export type ProtectedBranchCommand = { projectId: number; name: string } & (
  | ({ type: 'ProtectBranch'; protectedBranchId: number } & BranchRules)
  | { type: 'ChangeProtectedBranch'; caller: AdmittedCaller; changes: BranchChanges }
  | { type: 'UnprotectBranch'; caller: AdmittedCaller }
);

export const protectedBranchesStream = (projectId: number) => `protectedBranches-${projectId}`;

export const protectedBranchDecider: Decider<
  ProtectedBranchesState,
  ProtectedBranchCommand,
  ProtectedBranchEvent
> = {
  initialState: new Map(),

  decide(command, state) {
    const { projectId, name } = command;
    switch (command.type) {
      case 'ProtectBranch': {
        const { type: _, ...data } = command;
        const names = [...state.values()].map((branch) => branch.name);
        if (names.includes(name))
          throw new Rejection('conflict', { message: `Protected branch '${name}' already exists` });
        const problem = protectedNameProblem('branch', name, names.length);
        if (problem) throw new Rejection('unprocessable', { message: [problem] });
        return [{ type: 'ProtectedBranchCreated', data }];
      }
      case 'ChangeProtectedBranch': {
        const [protectedBranchId, branch] = oneNamed(name, state);
        requireAdmitted(command.caller, branch);
        const change = changesFrom<BranchRules>(branch, command.changes);
        if (change === null) return [];
        const data = { protectedBranchId, projectId, name, ...change };
        return [{ type: 'ProtectedBranchUpdated', data }];
      }
      case 'UnprotectBranch': {
        const [protectedBranchId, branch] = oneNamed(name, state);
        requireAdmitted(command.caller, branch);
        return [{ type: 'ProtectedBranchDeleted', data: { protectedBranchId, projectId, name } }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    const { protectedBranchId } = event.data;
    const next = new Map(state);
    switch (event.type) {
      case 'ProtectedBranchCreated': {
        const { protectedBranchId: _, projectId: __, ...branch } = event.data;
        next.set(protectedBranchId, branch);
        break;
      }
      case 'ProtectedBranchUpdated': {
        const current = state.get(protectedBranchId);
        if (current) next.set(protectedBranchId, { ...current, ...event.data.changes });
        break;
      }
      case 'ProtectedBranchDeleted':
        next.delete(protectedBranchId);
        break;
      default:
        event satisfies never;
    }
    return next;
  },
};

function oneNamed(name: string, state: ProtectedBranchesState): [id: number, branch: ProtectedBranch] {
  const found = [...state].find(([, branch]) => branch.name === name);
  if (!found) throw new Rejection('record_not_found');
  return found;
}

function requireAdmitted(caller: AdmittedCaller, { unprotectAccess }: BranchRules): void {
  if (!isAdmitted(caller, unprotectAccess)) throw new Rejection('forbidden', {});
}
