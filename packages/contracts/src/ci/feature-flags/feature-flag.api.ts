import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import {
  bool,
  described,
  fallback,
  hash,
  int,
  list,
  nullable,
  oneOf,
  required,
  text,
  textHash,
} from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import examples from './feature-flag.examples.json' with { type: 'json' };

/** The ways in which a flag can be on. */
export const STRATEGIES = [
  'default',
  'gradualRolloutUserId',
  'userWithId',
  'gitlabUserList',
  'flexibleRollout',
] as const;

/** The most strategies of a flag, and the most scopes of a strategy. */
export const MOST_STRATEGIES = 20;
export const MOST_SCOPES = 50;

const scopeView = defineView(
  'FeatureFlagScope',
  { id: z.int(), environment_scope: z.string() },
  examples.FeatureFlagScope,
);
const listOfStrategyView = defineView(
  'FeatureFlagStrategyUserList',
  { id: z.int(), iid: z.int(), name: z.string(), user_xids: z.string() },
  examples.FeatureFlagStrategyUserList,
);
const strategyView = defineView(
  'FeatureFlagStrategy',
  {
    id: z.int(),
    name: z.enum(STRATEGIES),
    parameters: z.record(z.string(), z.string()),
    scopes: z.array(scopeView),
    user_list: listOfStrategyView.nullable(),
  },
  examples.FeatureFlagStrategy,
);

/** Feature flag of a project [companions 2.9]. */
export const projectFeatureFlagView = defineView(
  'ProjectFeatureFlag',
  {
    name: z.string(),
    description: z.string().nullable(),
    active: z.boolean(),
    version: z.literal('new_version_flag'),
    created_at: datetimeView,
    updated_at: datetimeView,
    /** Those of flags of the first version, which upstream no longer makes. */
    scopes: z.array(z.never()),
    strategies: z.array(strategyView),
  },
  examples.ProjectFeatureFlag,
);

const scope = described(text({ max: 255 }), 'Environments by their name; `*` stands for any text', {
  examples: ['production'],
});
const parameters = described(
  textHash(),
  '`userIds`; `groupId` and `percentage`; or `groupId`, `rollout` and `stickiness`, as the name wants',
);
const userListId = described(
  nullable(int()),
  'Id of the user list, not its number, for `gitlabUserList` alone',
);
const EXAMPLE = {
  examples: [[{ name: 'default', parameters: {}, scopes: [{ environment_scope: 'production' }] }]],
};
const WHEN_ON = 'When it is on; a strategy without scopes is on nowhere';

const creation = {
  strategies: described(
    fallback(
      list(
        hash({
          name: described(required(oneOf(...STRATEGIES)), 'Name of the strategy'),
          parameters,
          user_list_id: userListId,
          scopes: described(
            list(hash({ environment_scope: required(scope) }), { max: MOST_SCOPES }),
            'Where it holds',
          ),
        }),
        { max: MOST_STRATEGIES },
      ),
      [],
    ),
    WHEN_ON,
    EXAMPLE,
  ),
};

const destroy = (what: string) => described(bool(), `Whether to delete the ${what} with this id`);

const update = {
  strategies: described(
    list(
      hash({
        id: described(int({ min: 0 }), 'Id of the strategy to change; without one it is a new one'),
        name: described(oneOf(...STRATEGIES), 'Name of the strategy'),
        parameters,
        user_list_id: userListId,
        _destroy: destroy('strategy'),
        scopes: described(
          list(
            hash({
              id: described(int({ min: 0 }), 'Id of the scope to change; without one it is a new one'),
              environment_scope: scope,
              _destroy: destroy('scope'),
            }),
            { max: MOST_SCOPES },
          ),
          'Scopes to add, change or delete; others stay',
        ),
      }),
      { max: MOST_STRATEGIES },
    ),
    'Strategies to add, change or delete; others stay',
    EXAMPLE,
  ),
};

const NAME = {
  pattern: '^[a-z]([-_a-z0-9]*[a-z0-9])?$',
  minLength: 2,
  maxLength: 63,
  examples: ['night_mode'],
};
const name = text({ max: 255 });
const nameSays = 'Name, 2 to 63 lower-case letters, digits, `-` and `_`, unique in the project';
const description = described(nullable(text({ max: 4096 })), 'What it switches, at most 255 characters', {
  maxLength: 255,
  examples: ['A dark page'],
});

const base = '/projects/:id/feature_flags';
const one = { id: projectId, feature_flag_name: described(required(text()), 'Name of the feature flag') };
const common = {
  service: 'ci',
  access: project('developer', { feature: 'operations' }),
  spec: 'companions 2.9',
} as const;

export const listFeatureFlags = defineEndpoint({
  ...common,
  id: 'project-feature-flag-list',
  method: 'GET',
  path: base,
  summary: 'Feature flags of a project, by name',
  params: {
    id: projectId,
    scope: described(oneOf('enabled', 'disabled'), 'Only those that are active, or that are not'),
  },
  pagination: 'offset',
  response: z.array(projectFeatureFlagView),
});

export const getFeatureFlag = defineEndpoint({
  ...common,
  id: 'project-feature-flag-get',
  method: 'GET',
  path: `${base}/:feature_flag_name`,
  summary: 'One feature flag of a project',
  params: one,
  response: projectFeatureFlagView,
});

export const createFeatureFlag = defineEndpoint({
  ...common,
  id: 'project-feature-flag-create',
  method: 'POST',
  path: base,
  summary: 'Create a feature flag in a project',
  params: {
    id: projectId,
    name: described(required(name), nameSays, NAME),
    version: described(fallback(oneOf('new_version_flag'), 'new_version_flag'), 'The only one there is'),
    description,
    active: described(fallback(bool(), true), 'Whether its strategies count; else it is off'),
    ...creation,
  },
  status: 201,
  response: projectFeatureFlagView,
});

export const updateFeatureFlag = defineEndpoint({
  ...common,
  id: 'project-feature-flag-update',
  method: 'PUT',
  path: `${base}/:feature_flag_name`,
  summary: 'Change a feature flag of a project',
  params: {
    ...one,
    name: described(name, nameSays, NAME),
    description,
    active: described(bool(), 'Whether its strategies count; else it is off'),
    ...update,
  },
  response: projectFeatureFlagView,
});

export const deleteFeatureFlag = defineEndpoint({
  ...common,
  id: 'project-feature-flag-delete',
  method: 'DELETE',
  path: `${base}/:feature_flag_name`,
  summary: 'Delete a feature flag; the answer has it once more',
  params: one,
  response: projectFeatureFlagView,
});

export const projectFeatureFlagEndpoints = [
  listFeatureFlags,
  getFeatureFlag,
  createFeatureFlag,
  updateFeatureFlag,
  deleteFeatureFlag,
];
