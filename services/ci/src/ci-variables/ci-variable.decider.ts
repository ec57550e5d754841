import type { CiVariableEvent } from '@forgelog/contracts/ci/ci-variables/ci-variable.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom, withSecret } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { sizeOfSealed } from '@forgelog/service-kit/sealed.ts';
import { requireValid } from './ci-variable.rules.ts';

/** None of both ids is there for the instance. */
export interface VariablePlace {
  projectId: number | null;
  groupId: number | null;
}

interface Attributes {
  variableType: 'env_var' | 'file';
  protected: boolean;
  masked: boolean;
  environmentScope: string;
}

interface SealedValue {
  sealedValue: string;
  isMaskable: boolean;
}

type Variable = Attributes & { key: string; isMaskable: boolean; size: number };

export type CiVariablesState = ReadonlyMap<number, Variable>;

interface Named extends VariablePlace {
  key: string;
  environmentScope: string | undefined;
}

export type CiVariableCommand =
  | ({ type: 'AddCiVariable'; variableId: number; key: string } & VariablePlace & Attributes & SealedValue)
  | ({
      type: 'ChangeCiVariable';
      changes: { [Name in keyof Attributes]: Attributes[Name] | undefined };
      value: SealedValue | undefined;
    } & Named)
  | ({ type: 'RemoveCiVariable' } & Named);

export function variablesStream({ projectId, groupId }: VariablePlace): string {
  if (projectId !== null) return `variables-project-${projectId}`;
  return groupId === null ? 'variables-instance' : `variables-group-${groupId}`;
}

export const ciVariableDecider: Decider<CiVariablesState, CiVariableCommand, CiVariableEvent> = {
  initialState: new Map(),

  decide(command, state) {
    const { projectId, groupId, key } = command;
    const place = { projectId, groupId };
    switch (command.type) {
      case 'AddCiVariable': {
        const { type: _, ...data } = command;
        requireValid({ ...data, size: sizeOfSealed(data.sealedValue) }, [...state.values()]);
        return [{ type: 'CiVariableAdded', data }];
      }
      case 'ChangeCiVariable': {
        const { value } = command;
        const [variableId, current] = oneNamed(command, state);
        const change = withSecret(changesFrom<Attributes>(current, command.changes), 'value', value);
        if (change === null) return [];
        const size = value === undefined ? current.size : sizeOfSealed(value.sealedValue);
        const others = [...state].filter(([id]) => id !== variableId).map(([, other]) => other);
        requireValid({ ...current, ...change.changes, size }, others);
        return [{ type: 'CiVariableChanged', data: { variableId, ...place, key, ...change } }];
      }
      case 'RemoveCiVariable': {
        const [variableId] = oneNamed(command, state);
        return [{ type: 'CiVariableRemoved', data: { variableId, ...place, key } }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    const { variableId } = event.data;
    const next = new Map(state);
    switch (event.type) {
      case 'CiVariableAdded': {
        const { key, variableType, protected: isProtected, masked, environmentScope } = event.data;
        const { isMaskable, sealedValue } = event.data;
        const attributes = { variableType, protected: isProtected, masked, environmentScope };
        next.set(variableId, { key, ...attributes, isMaskable, size: sizeOfSealed(sealedValue) });
        break;
      }
      case 'CiVariableChanged': {
        const { sealedValue, ...changes } = event.data.changes;
        const current = state.get(variableId);
        if (!current) break;
        const size = sealedValue === undefined ? current.size : sizeOfSealed(sealedValue);
        next.set(variableId, { ...current, ...changes, size });
        break;
      }
      case 'CiVariableRemoved':
        next.delete(variableId);
        break;
      default:
        event satisfies never;
    }
    return next;
  },
};

function oneNamed(named: Named, state: CiVariablesState): [id: number, variable: Variable] {
  return requireOne(
    [...state].filter(
      ([, { key, environmentScope }]) =>
        key === named.key && (named.environmentScope ?? environmentScope) === environmentScope,
    ),
  );
}

/** Clients know both texts. @throws 404 for none, 409 for several */
export function requireOne<T>(found: readonly T[]): T {
  const [first, ...others] = found;
  if (first === undefined) throw new Rejection('not_found', { what: 'Variable' });
  if (others.length > 0)
    throw new Rejection('conflict', {
      message:
        "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'",
    });
  return first;
}
