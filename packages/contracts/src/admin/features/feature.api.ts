import { z } from 'zod';
import { administrator, defineEndpoint } from '../../endpoint.ts';
import { bool, described, fallback, intOr, oneOf, required, text } from '../../params.ts';
import { defineView } from '../../views.ts';
import examples from './feature.examples.json' with { type: 'json' };

const url = z.string().nullable();
const definition = {
  name: z.string(),
  introduced_by_url: url,
  rollout_issue_url: url,
  group: z.string(),
  type: z.string(),
  default_enabled: z.boolean(),
};

/** Definition of a feature flag, in the list [L96]. */
export const featureDefinitionView = defineView(
  'FeatureDefinition',
  { ...definition, milestone: z.string() },
  examples.FeatureDefinition,
);

const gateView = defineView('FeatureGate', {
  key: z.enum(['boolean', 'percentage_of_time', 'percentage_of_actors', 'groups', 'actors']),
  value: z.union([z.boolean(), z.int(), z.array(z.string())]),
});

/** Feature flag of the instance [L96]. Gates of groups of features and of actors appear once they are set. */
export const featureView = defineView(
  'Feature',
  {
    name: z.string(),
    state: z.enum(['on', 'off', 'conditional']),
    gates: z.array(gateView),
    definition: defineView('FeatureDefinitionOfFlag', definition).nullable(),
  },
  examples.Feature,
);

const common = { service: 'admin', access: administrator } as const;
const name = described(required(text()), 'Name of the flag', { examples: ['debian_packages'] });

export const listFeatures = defineEndpoint({
  ...common,
  id: 'feature-list',
  method: 'GET',
  path: '/features',
  summary: 'Feature flags that were ever set, by name',
  spec: 'api-v4 L337',
  params: {},
  response: z.array(featureView),
});

export const listFeatureDefinitions = defineEndpoint({
  ...common,
  id: 'feature-definition-list',
  method: 'GET',
  path: '/features/definitions',
  summary: 'Feature flags that this server asks for',
  spec: 'api-v4 L338',
  params: {},
  response: z.array(featureDefinitionView),
});

const target = (what: string, example: string) =>
  described(text({ max: 4096 }), `Only for ${what}`, { examples: [example] });

export const setFeature = defineEndpoint({
  ...common,
  id: 'feature-set',
  method: 'POST',
  path: '/features/:name',
  summary: 'Set gates of a feature flag, which is created where there is none',
  spec: 'api-v4 L339',
  params: {
    name,
    value: described(
      required(intOr('true', 'false')),
      'Whether it is on, or a whole percentage from 0 to 100',
      {
        examples: ['true'],
      },
    ),
    key: described(
      fallback(oneOf('percentage_of_actors', 'percentage_of_time'), 'percentage_of_time'),
      'What a percentage is of',
    ),
    feature_group: described(oneOf('administrators'), 'Only for users of this kind'),
    user: target('the user of this name', 'ada'),
    group: target('the group at this path', 'engines'),
    project: target('the project at this path', 'engines/turbine'),
    force: described(bool(), 'Whether a flag without a definition may be set; it may in any case'),
  },
  status: 201,
  response: featureView,
});

export const deleteFeature = defineEndpoint({
  ...common,
  id: 'feature-delete',
  method: 'DELETE',
  path: '/features/:name',
  summary: 'Forget the gates of a feature flag; its default holds again',
  spec: 'api-v4 L340',
  params: { name },
  status: 204,
});

export const featureEndpoints = [listFeatures, listFeatureDefinitions, setFeature, deleteFeature];
