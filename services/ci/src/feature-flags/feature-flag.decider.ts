import type { FeatureFlagEvent } from '@forgelog/contracts/ci/feature-flags/feature-flag.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import {
  type FlagContent,
  type FlagStrategy,
  requireValidFlag,
  requireValidList,
  sizeOfFlag,
  sizeOfList,
  type UserListContent,
} from './feature-flag.rules.ts';

type UserList = UserListContent & { iid: number };

export interface FeatureFlagsState {
  flags: ReadonlyMap<number, FlagContent>;
  lists: ReadonlyMap<number, UserList>;
  /** The greatest numbers that lists, strategies and scopes of the project had; they are not given again. */
  lastIid: number;
  lastStrategyId: number;
  lastScopeId: number;
}

interface PartChange {
  /** Null for what is new. */
  id: number | null;
  isDeleted: boolean;
}

export type ScopeChange = PartChange & { environmentScope: string | undefined };

/** Undefined keeps the current value. */
export type StrategyChange = PartChange & {
  name: FlagStrategy['name'] | undefined;
  parameters: Record<string, string> | undefined;
  userListId: number | null | undefined;
  scopes: readonly ScopeChange[];
};

type OnFlag = { projectId: number; featureFlagId: number };
type OnList = { projectId: number; featureFlagUserListId: number };
type Maybe<T> = { [Name in keyof T]: T[Name] | undefined };

export type FeatureFlagCommand =
  | ({ type: 'CreateFeatureFlag'; strategies: readonly StrategyChange[] } & OnFlag &
      Omit<FlagContent, 'strategies'>)
  | ({ type: 'UpdateFeatureFlag'; strategies: readonly StrategyChange[] } & OnFlag &
      Maybe<Omit<FlagContent, 'strategies'>>)
  | ({ type: 'DeleteFeatureFlag' } & OnFlag)
  | ({ type: 'CreateFeatureFlagUserList' } & OnList & UserListContent)
  | ({ type: 'UpdateFeatureFlagUserList' } & OnList & Maybe<UserListContent>)
  | ({ type: 'DeleteFeatureFlagUserList' } & OnList);

export const featureFlagsStream = (projectId: number) => `featureFlags-${projectId}`;

export const featureFlagDecider: Decider<FeatureFlagsState, FeatureFlagCommand, FeatureFlagEvent> = {
  initialState: { flags: new Map(), lists: new Map(), lastIid: 0, lastStrategyId: 0, lastScopeId: 0 },

  decide(command, state) {
    const { projectId } = command;
    switch (command.type) {
      case 'CreateFeatureFlag': {
        const { featureFlagId, name, description, active } = command;
        if (state.flags.has(featureFlagId)) throw new Rejection('conflict', {});
        const flag = { name, description, active, strategies: merged([], command.strategies, state) };
        requireValidFlag(flag, flagsBeside(state, featureFlagId));
        return [{ type: 'FeatureFlagCreated', data: { featureFlagId, projectId, ...flag } }];
      }
      case 'UpdateFeatureFlag': {
        const { featureFlagId, name, description, active } = command;
        const current = present(state.flags, featureFlagId);
        const strategies = merged(current.strategies, command.strategies, state);
        const change = changesFrom<FlagContent>(current, { name, description, active, strategies });
        if (change === null) return [];
        requireValidFlag({ ...current, ...change.changes }, flagsBeside(state, featureFlagId));
        return [
          {
            type: 'FeatureFlagUpdated',
            data: { featureFlagId, projectId, ...change },
          },
        ];
      }
      case 'DeleteFeatureFlag': {
        const { featureFlagId } = command;
        present(state.flags, featureFlagId);
        return [{ type: 'FeatureFlagDeleted', data: { featureFlagId, projectId } }];
      }
      case 'CreateFeatureFlagUserList': {
        const { featureFlagUserListId, name, userXids } = command;
        if (state.lists.has(featureFlagUserListId)) throw new Rejection('conflict', {});
        requireValidList({ name, userXids }, listsBeside(state, featureFlagUserListId));
        const ids = { featureFlagUserListId, projectId, iid: state.lastIid + 1 };
        return [{ type: 'FeatureFlagUserListCreated', data: { ...ids, name, userXids } }];
      }
      case 'UpdateFeatureFlagUserList': {
        const { featureFlagUserListId, name, userXids } = command;
        const current = present(state.lists, featureFlagUserListId);
        const change = changesFrom<UserListContent>(current, { name, userXids });
        if (change === null) return [];
        requireValidList({ ...current, ...change.changes }, listsBeside(state, featureFlagUserListId));
        const ids = { featureFlagUserListId, projectId, iid: current.iid };
        return [{ type: 'FeatureFlagUserListUpdated', data: { ...ids, ...change } }];
      }
      case 'DeleteFeatureFlagUserList': {
        const { featureFlagUserListId } = command;
        const { iid } = present(state.lists, featureFlagUserListId);
        for (const { strategies } of state.flags.values())
          if (strategies.some(({ userListId }) => userListId === featureFlagUserListId))
            throw new Rejection('conflict', { message: ['User list is associated with a strategy'] });
        return [{ type: 'FeatureFlagUserListDeleted', data: { featureFlagUserListId, projectId, iid } }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    const { flags, lists, lastIid } = state;
    switch (event.type) {
      case 'FeatureFlagCreated': {
        const { featureFlagId, projectId: _, ...flag } = event.data;
        return { ...withParts(state, flag.strategies), flags: new Map(flags).set(featureFlagId, flag) };
      }
      case 'FeatureFlagUpdated': {
        const { featureFlagId, changes } = event.data;
        const current = flags.get(featureFlagId);
        if (!current) return state;
        const changed = new Map(flags).set(featureFlagId, { ...current, ...changes });
        return { ...withParts(state, changes.strategies ?? []), flags: changed };
      }
      case 'FeatureFlagDeleted':
        return { ...state, flags: without(flags, event.data.featureFlagId) };
      case 'FeatureFlagUserListCreated': {
        const { featureFlagUserListId, iid, name, userXids } = event.data;
        const more = new Map(lists).set(featureFlagUserListId, { iid, name, userXids });
        return { ...state, lists: more, lastIid: Math.max(lastIid, iid) };
      }
      case 'FeatureFlagUserListUpdated': {
        const { featureFlagUserListId, changes } = event.data;
        const current = lists.get(featureFlagUserListId);
        if (!current) return state;
        return { ...state, lists: new Map(lists).set(featureFlagUserListId, { ...current, ...changes }) };
      }
      case 'FeatureFlagUserListDeleted':
        return { ...state, lists: without(lists, event.data.featureFlagUserListId) };
      default:
        return event satisfies never;
    }
  },
};

function without<T>(map: ReadonlyMap<number, T>, id: number): Map<number, T> {
  const fewer = new Map(map);
  fewer.delete(id);
  return fewer;
}

/** The state after an event that has these strategies. */
function withParts(state: FeatureFlagsState, strategies: readonly FlagStrategy[]): FeatureFlagsState {
  const greatest = (last: number, parts: readonly { id: number }[]) =>
    parts.reduce((most, { id }) => Math.max(most, id), last);
  return {
    ...state,
    lastStrategyId: greatest(state.lastStrategyId, strategies),
    lastScopeId: strategies.reduce((last, { scopes }) => greatest(last, scopes), state.lastScopeId),
  };
}

function present<T>(records: ReadonlyMap<number, T>, id: number): T {
  const record = records.get(id);
  if (!record) throw new Rejection('record_not_found');
  return record;
}

const except = <T>(records: ReadonlyMap<number, T>, id: number): T[] => [...without(records, id).values()];

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);

function flagsBeside({ flags, lists }: FeatureFlagsState, id: number) {
  const others = except(flags, id);
  const size = sum(others.map(sizeOfFlag)) + sum([...lists.values()].map(sizeOfList));
  return { others, lists: new Set(lists.keys()), size };
}

function listsBeside({ flags, lists }: FeatureFlagsState, id: number) {
  const others = except(lists, id);
  const size = sum(others.map(sizeOfList)) + sum([...flags.values()].map(sizeOfFlag));
  return { others, size };
}

/** Strategies and scopes that are not named stay as they are. */
function merged(
  current: readonly FlagStrategy[],
  changes: readonly StrategyChange[],
  { lastStrategyId, lastScopeId }: FeatureFlagsState,
): FlagStrategy[] {
  const [nextStrategy, nextScope] = [counter(lastStrategyId), counter(lastScopeId)];
  return mergedParts(current, changes, 'Strategy', (before, change) => {
    const name = change.name ?? before?.name;
    if (name === undefined)
      throw new Rejection('validation_failed', { fields: { 'strategies.name': ["can't be blank"] } });
    // Parameters and the list belong to the name: a new name begins without them.
    const kept = name === before?.name ? before : undefined;
    const { parameters = kept?.parameters ?? {}, userListId = kept?.userListId ?? null } = change;
    const id = before?.id ?? nextStrategy();
    const scopes = mergedParts(
      before?.scopes ?? [],
      change.scopes,
      'Scope',
      (scope, { environmentScope }) => ({
        id: scope?.id ?? nextScope(),
        environmentScope: environmentScope ?? scope?.environmentScope ?? '',
      }),
    );
    return { id, name, parameters: inOrder(parameters), userListId, scopes };
  });
}

const counter = (last: number) => {
  let id = last;
  return () => ++id;
};

/** Equal parameters are then equal texts, in whichever order they came. */
const inOrder = (parameters: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1)));

function mergedParts<T extends { id: number }, C extends PartChange>(
  current: readonly T[],
  changes: readonly C[],
  what: string,
  apply: (before: T | undefined, change: C) => T,
): T[] {
  const parts = new Map(current.map((part) => [part.id, part]));
  for (const change of changes) {
    const { id, isDeleted } = change;
    const before = id === null ? undefined : parts.get(id);
    if (id !== null && !before) throw new Rejection('not_found', { what });
    if (before && isDeleted) parts.delete(before.id);
    else if (!isDeleted) {
      const part = apply(before, change);
      parts.set(part.id, part);
    }
  }
  return [...parts.values()];
}
