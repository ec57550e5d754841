import type { featureDefinitionView, featureView } from '@forgelog/contracts/admin/features/feature.api.ts';
import {
  definitionOf,
  type FeatureDefinition,
} from '@forgelog/contracts/admin/features/feature-definitions.ts';
import type { FeatureGates } from '@forgelog/directory/features.projection.ts';
import type { z } from 'zod';

type ShownFeature = z.output<typeof featureView>;

const shownDefinition = ({ name, group, type, defaultEnabled }: FeatureDefinition) => ({
  ...{ name, introduced_by_url: null, rollout_issue_url: null, group, type },
  default_enabled: defaultEnabled,
});

export const definitionJson = (definition: FeatureDefinition): z.output<typeof featureDefinitionView> => ({
  ...shownDefinition(definition),
  milestone: definition.milestone,
});

/** A flag as answers show it [L96]: its boolean gate always, and others once they are set. */
export function featureJson(gates: FeatureGates): ShownFeature {
  const { name, enabled, percentageOfTime: time, percentageOfActors: actors } = gates;
  const definition = definitionOf(name);
  const others: ShownFeature['gates'] = [];
  if (time > 0) others.push({ key: 'percentage_of_time', value: time });
  if (actors > 0) others.push({ key: 'percentage_of_actors', value: actors });
  if (gates.groups.length > 0) others.push({ key: 'groups', value: [...gates.groups] });
  if (gates.actors.length > 0) others.push({ key: 'actors', value: [...gates.actors] });
  return {
    name,
    state: enabled ? 'on' : others.length > 0 ? 'conditional' : 'off',
    gates: [{ key: 'boolean', value: enabled }, ...others],
    definition: definition ? shownDefinition(definition) : null,
  };
}
