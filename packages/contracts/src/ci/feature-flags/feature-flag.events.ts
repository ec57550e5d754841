import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import { STRATEGIES } from './feature-flag.api.ts';
import examples from './feature-flag.events.examples.json' with { type: 'json' };

/** Flags and user lists of a project are one stream: names are unique in it, and strategies name lists. */
const common = {
  version: 1,
  subject: 'featureFlags-<projectId>',
  service: 'ci',
  activity: 'unnamed',
} as const;

const flagIds = { featureFlagId: z.int().describe('Id of the feature flag.'), projectId };
const flag = {
  name: personal(z.string().describe('Name of the feature flag, unique in the project.')),
  description: personal(z.string().nullable().describe('What it switches; null if not given.')),
  active: z.boolean().describe('Whether its strategies count; else it is off.'),
  strategies: personal(
    z
      .array(
        z.object({
          id: z.int().describe('Id of the strategy, unique in the project.'),
          name: z.enum(STRATEGIES).describe('Name of the strategy, as clients of Unleash know it.'),
          parameters: z.record(z.string(), z.string()).describe('Parameters of the strategy, by name.'),
          userListId: z.int().nullable().describe('Id of the user list of a `gitlabUserList`, else null.'),
          scopes: z
            .array(
              z.object({
                id: z.int().describe('Id of the scope, unique in the project.'),
                environmentScope: z.string().describe('Name of environments; `*` stands for any text.'),
              }),
            )
            .describe('Where it holds; nowhere without any.'),
        }),
      )
      .describe('When it is on: in any of these ways.'),
  ),
};

export const FeatureFlagCreated = defineEvent({
  ...common,
  type: 'FeatureFlagCreated',
  description: 'A project got a feature flag, which its program asks for.',
  example: examples.FeatureFlagCreated,
  audit: privileged('Project', 'FeatureFlag'),
  schema: z.object({ ...flagIds, ...flag }),
});

export const FeatureFlagUpdated = defineEvent({
  ...common,
  type: 'FeatureFlagUpdated',
  description: 'A feature flag of a project changed: its name, its state or when it is on.',
  example: examples.FeatureFlagUpdated,
  audit: privileged('Project', 'FeatureFlag'),
  schema: z.object({ ...flagIds, ...changed(flag) }),
});

export const FeatureFlagDeleted = defineEvent({
  ...common,
  type: 'FeatureFlagDeleted',
  description: 'A feature flag of a project was deleted.',
  example: examples.FeatureFlagDeleted,
  audit: privileged('Project', 'FeatureFlag'),
  schema: z.object(flagIds),
});

const listIds = {
  featureFlagUserListId: z.int().describe('Id of the user list.'),
  projectId,
  iid: z.int().describe('Number of the list in its project.'),
};
const userList = {
  name: personal(z.string().describe('Name of the list, unique in the project.')),
  userXids: personal(z.string().describe('Ids that the program gives its users, separated by commas.')),
};

export const FeatureFlagUserListCreated = defineEvent({
  ...common,
  type: 'FeatureFlagUserListCreated',
  description: 'A project got a list of users, for whom feature flags can be on.',
  example: examples.FeatureFlagUserListCreated,
  audit: privileged('Project', 'FeatureFlagUserList'),
  schema: z.object({ ...listIds, ...userList }),
});

export const FeatureFlagUserListUpdated = defineEvent({
  ...common,
  type: 'FeatureFlagUserListUpdated',
  description: 'The name or the users of a list changed.',
  example: examples.FeatureFlagUserListUpdated,
  audit: privileged('Project', 'FeatureFlagUserList'),
  schema: z.object({ ...listIds, ...changed(userList) }),
});

export const FeatureFlagUserListDeleted = defineEvent({
  ...common,
  type: 'FeatureFlagUserListDeleted',
  description: 'A list of users was deleted, which no strategy named.',
  example: examples.FeatureFlagUserListDeleted,
  audit: privileged('Project', 'FeatureFlagUserList'),
  schema: z.object(listIds),
});

/** The instance id is derived from the number of resets, so that it is nowhere in the log. */
export const FeatureFlagsClientReset = defineEvent({
  ...common,
  type: 'FeatureFlagsClientReset',
  description:
    'The instance id by which clients ask for feature flags was made anew; the one before is refused.',
  example: examples.FeatureFlagsClientReset,
  subject: 'featureFlagsClient-<projectId>',
  audit: privileged('Project', 'FeatureFlagsClient'),
  schema: z.object({ projectId, resets: z.int().describe('How often it was reset, this time included.') }),
});

export const featureFlagEvents = [
  FeatureFlagCreated,
  FeatureFlagUpdated,
  FeatureFlagDeleted,
  FeatureFlagUserListCreated,
  FeatureFlagUserListUpdated,
  FeatureFlagUserListDeleted,
] as const;
export type FeatureFlagEvent = EventOf<(typeof featureFlagEvents)[number]>;
export type FeatureFlagsClientEvent = EventOf<typeof FeatureFlagsClientReset>;
