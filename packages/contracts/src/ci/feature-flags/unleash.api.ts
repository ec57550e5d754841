import { z } from 'zod';
import { anyone, defineEndpoint, project } from '../../endpoint.ts';
import { described, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import examples from './feature-flag.examples.json' with { type: 'json' };

/* What programs call that ask for flags: the client API of Unleash, and how its clients are set up. */

/** What a client of Unleash is configured with. */
export const featureFlagsClientView = defineView(
  'FeatureFlagsClient',
  { api_url: z.string(), instance_id: z.string() },
  examples.FeatureFlagsClient,
);

const setup = {
  service: 'ci',
  spec: 'beyond the specification',
  params: { id: projectId },
  response: featureFlagsClientView,
} as const;

export const getFeatureFlagsClient = defineEndpoint({
  ...setup,
  id: 'feature-flags-client-get',
  method: 'GET',
  path: '/projects/:id/feature_flags_client',
  summary: 'What a client of Unleash is configured with: the address, and the instance id as its secret',
  access: project('developer', { feature: 'operations' }),
  // The answer has a secret, as that to the runners' token.
  scopes: ['api'],
});

export const resetFeatureFlagsClient = defineEndpoint({
  ...setup,
  id: 'feature-flags-client-reset',
  method: 'POST',
  path: '/projects/:id/feature_flags_client/reset_token',
  summary: 'Make the instance id anew; clients with the one before are refused at once',
  access: project('maintainer', { feature: 'operations' }),
  status: 201,
});

const unleashStrategyView = defineView(
  'UnleashStrategy',
  { name: z.string(), parameters: z.record(z.string(), z.string()) },
  examples.UnleashStrategy,
);
const unleashFeatureView = defineView(
  'UnleashFeature',
  {
    name: z.string(),
    description: z.string().optional(),
    enabled: z.boolean(),
    strategies: z.array(unleashStrategyView),
  },
  examples.UnleashFeature,
);

/** What clients of Unleash ask for again and again. */
export const unleashFeaturesView = defineView(
  'UnleashFeatures',
  { version: z.literal(1), features: z.array(unleashFeatureView) },
  examples.UnleashFeatures,
);

const base = '/feature_flags/unleash/:project_id';
const asked = {
  project_id: projectId,
  instance_id: described(text({ max: 255 }), 'Instance id, where the header UNLEASH-INSTANCEID is not sent'),
  app_name: described(text({ max: 255 }), 'Name of the environment, where UNLEASH-APPNAME is not sent', {
    examples: ['production'],
  }),
};
const common = { service: 'ci', access: anyone, spec: 'beyond the specification', params: asked } as const;

export const getUnleash = defineEndpoint({
  ...common,
  id: 'unleash-get',
  method: 'GET',
  path: base,
  summary: 'Ask whether an instance id is right; the body is empty',
});

const features = {
  ...common,
  method: 'GET',
  summary: 'Flags with a strategy for the environment that the caller names as application',
  response: unleashFeaturesView,
} as const;

export const listUnleashFeatures = defineEndpoint({
  ...features,
  id: 'unleash-feature-list',
  path: `${base}/client/features`,
});

export const listUnleashFeaturesOfOldClients = defineEndpoint({
  ...features,
  id: 'unleash-feature-list-old',
  path: `${base}/features`,
});

export const registerUnleashClient = defineEndpoint({
  ...common,
  id: 'unleash-client-register',
  method: 'POST',
  path: `${base}/client/register`,
  summary: 'Tell that a client has started; the body is not kept',
});

export const takeUnleashMetrics = defineEndpoint({
  ...common,
  id: 'unleash-client-metrics',
  method: 'POST',
  path: `${base}/client/metrics`,
  summary: 'Tell how often flags were asked for; the body is not kept',
});

export const unleashEndpoints = [
  getFeatureFlagsClient,
  resetFeatureFlagsClient,
  getUnleash,
  listUnleashFeatures,
  listUnleashFeaturesOfOldClients,
  registerUnleashClient,
  takeUnleashMetrics,
];
