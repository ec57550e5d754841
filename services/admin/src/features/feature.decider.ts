import type { FeatureEvent } from '@forgelog/contracts/admin/features/feature.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

export interface Gates {
  enabled: boolean;
  percentageOfTime: number;
  percentageOfActors: number;
  groups: 'administrators'[];
  /** `User:1`, `Group:2`, `Project:3`. */
  actors: string[];
}

interface Targets {
  groups: readonly 'administrators'[];
  actors: readonly string[];
}

export type FeatureCommand = {
  name: string;
} /** For all of them, or for everybody where none is named. */ & (
  | ({ type: 'SwitchFeature'; on: boolean } & Targets)
  | { type: 'SetFeaturePercentage'; of: 'time' | 'actors'; percentage: number }
  | { type: 'DeleteFeature' }
);

export const featureStream = (name: string) => `feature-${name}`;

const CLOSED: Gates = { enabled: false, percentageOfTime: 0, percentageOfActors: 0, groups: [], actors: [] };

/** The state is null while the flag has no gates. */
export const featureDecider: Decider<Gates | null, FeatureCommand, FeatureEvent> = {
  initialState: null,

  decide(command, state) {
    const { name } = command;
    if (command.type === 'DeleteFeature')
      return state === null ? [] : [{ type: 'FeatureDeleted', data: { name } }];
    const wanted = gatesAfter(state ?? CLOSED, command);
    if (state === null) return [{ type: 'FeatureCreated', data: { name, ...wanted } }];
    const change = changesFrom<Gates>(state, wanted);
    return change === null ? [] : [{ type: 'FeatureUpdated', data: { name, ...change } }];
  },

  evolve(state, event) {
    switch (event.type) {
      case 'FeatureCreated': {
        const { name: _, ...gates } = event.data;
        return gates;
      }
      case 'FeatureUpdated':
        return state && { ...state, ...event.data.changes };
      case 'FeatureDeleted':
        return null;
      default:
        return event satisfies never;
    }
  },
};

function gatesAfter(gates: Gates, command: Exclude<FeatureCommand, { type: 'DeleteFeature' }>): Gates {
  if (command.type === 'SetFeaturePercentage') {
    const { of, percentage } = command;
    return { ...gates, [of === 'time' ? 'percentageOfTime' : 'percentageOfActors']: percentage };
  }
  const { on, groups, actors } = command;
  // A flag that is switched for everybody forgets for whom else it was.
  if (groups.length === 0 && actors.length === 0) return { ...CLOSED, enabled: on };
  const switched = <T>(before: readonly T[], named: readonly T[]): T[] =>
    on ? [...new Set([...before, ...named])].toSorted() : before.filter((one) => !named.includes(one));
  return { ...gates, groups: switched(gates.groups, groups), actors: switched(gates.actors, actors) };
}
