import type { FeatureEvent } from '@forgelog/contracts/admin/features/feature.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type FeatureCommand, featureDecider } from './feature.decider.ts';

const closed = { enabled: false, percentageOfTime: 0, percentageOfActors: 0, groups: [], actors: [] };
const created = (gates = {}): FeatureEvent => ({
  type: 'FeatureCreated',
  data: { name: 'x', ...closed, ...gates },
});
const turn = (on: boolean, actors: string[] = [], groups: 'administrators'[] = []): FeatureCommand => ({
  ...{ type: 'SwitchFeature', name: 'x', on, actors, groups },
});
const updated = (changes: object, previous: object): FeatureEvent => ({
  type: 'FeatureUpdated',
  data: { name: 'x', changes, previous },
});

test('a flag is created by its first gate, and a percentage stands beside the others', () => {
  given(featureDecider)
    .when(turn(true))
    .thenEvents(created({ enabled: true }));
  given(featureDecider)
    .when({ type: 'SetFeaturePercentage', name: 'x', of: 'time', percentage: 30 })
    .thenEvents(created({ percentageOfTime: 30 }));
  given(featureDecider, created({ percentageOfTime: 30 }))
    .when({ type: 'SetFeaturePercentage', name: 'x', of: 'actors', percentage: 5 })
    .thenEvents(updated({ percentageOfActors: 5 }, { percentageOfActors: 0 }));
});

test('a flag is switched for some beside others, and switching it for all forgets them', () => {
  const some = created({ actors: ['Group:2', 'User:1'], groups: ['administrators'] });
  given(featureDecider)
    .when(turn(true, ['User:1', 'Group:2'], ['administrators']))
    .thenEvents(some);
  given(featureDecider, some)
    .when(turn(false, ['User:1']))
    .thenEvents(updated({ actors: ['Group:2'] }, { actors: ['Group:2', 'User:1'] }));
  given(featureDecider, some)
    .when(turn(true))
    .thenEvents(
      updated(
        { enabled: true, groups: [], actors: [] },
        { enabled: false, groups: ['administrators'], actors: ['Group:2', 'User:1'] },
      ),
    );
});

test('a flag is forgotten once, and what changes nothing is no event', () => {
  const forget = { type: 'DeleteFeature', name: 'x' } as const;
  given(featureDecider).when(forget).thenEvents();
  const gone: FeatureEvent = { type: 'FeatureDeleted', data: { name: 'x' } };
  given(featureDecider, created()).when(forget).thenEvents(gone);
  given(featureDecider, created({ enabled: true }))
    .when(turn(true))
    .thenEvents();
  given(featureDecider, created({ enabled: true }), gone)
    .when(turn(true))
    .thenEvents(created({ enabled: true }));
});
