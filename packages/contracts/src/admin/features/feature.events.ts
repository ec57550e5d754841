import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import examples from './feature.events.examples.json' with { type: 'json' };

const name = personal(z.string().describe('Name of the feature flag.'));
const percentage = (of: string) =>
  z.int().describe(`For which percentage of ${of} it is on, 0 to 100; 0 where it was not set.`);

const gates = {
  enabled: z.boolean().describe('Whether it is on for everybody.'),
  percentageOfTime: percentage('times that the server asks'),
  percentageOfActors: percentage('users, groups and projects'),
  groups: z.array(z.enum(['administrators'])).describe('Kinds of users for whom it is on.'),
  actors: personal(
    z
      .array(z.string())
      .describe('For whom else it is on: `User:`, `Group:` or `Project:` and the id, in order.'),
  ),
};

const common = {
  version: 1,
  subject: 'feature-<name>',
  service: 'admin',
  audit: privileged('User', 'Feature'),
  activity: 'administration',
} as const;

export const FeatureCreated = defineEvent({
  ...common,
  type: 'FeatureCreated',
  description: 'Gates of a feature flag were set that had none.',
  example: examples.FeatureCreated,
  schema: z.object({ name, ...gates }),
});

export const FeatureUpdated = defineEvent({
  ...common,
  type: 'FeatureUpdated',
  description: 'Gates of a feature flag changed.',
  example: examples.FeatureUpdated,
  schema: z.object({ name, ...changed(gates) }),
});

export const FeatureDeleted = defineEvent({
  ...common,
  type: 'FeatureDeleted',
  description: 'The gates of a feature flag were forgotten; its default holds again.',
  example: examples.FeatureDeleted,
  schema: z.object({ name }),
});

export const featureEvents = [FeatureCreated, FeatureUpdated, FeatureDeleted] as const;
export type FeatureEvent = EventOf<(typeof featureEvents)[number]>;
