import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { alwaysChanged, changedWithheld } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './integration.events.examples.json' with { type: 'json' };
import { EVENT_FLAGS, INTEGRATION_SLUGS, PROPERTY_NAMES, SECRETS } from './integration-kinds.ts';

const ids = {
  integrationId: z.int().describe('Id of the integration.'),
  projectId,
  slug: z.enum(INTEGRATION_SLUGS).describe('Which integration it is.'),
};
const attributes = {
  properties: z
    .array(
      z.object({
        name: z.enum(PROPERTY_NAMES).describe('Name of the parameter, as the slug has it.'),
        value: personal(z.union([z.string(), z.boolean()]).describe('What it is set to.')),
      }),
    )
    .describe('Its own parameters, in order of their names.'),
  flagsOff: z.array(z.enum(EVENT_FLAGS)).describe('Events that it is not told of; of all others it is.'),
};
const secrets = {
  sealedWebhook: z
    .string()
    .nullable()
    .describe('Address of the chat, sealed; null for an integration without one; never published.'),
  sealedPassword: z
    .string()
    .nullable()
    .describe('Password for the receiver, sealed; null for an integration without one; never published.'),
};

const common = {
  version: 1,
  subject: 'integration-<projectId>-<slug>',
  service: 'tracker',
  audit: privileged('Project', 'Integration'),
  activity: 'unnamed',
  withheld: ['sealedWebhook', 'sealedPassword'],
  growing: ['slug'],
} as const;

export const IntegrationCreated = defineEvent({
  ...common,
  version: 3,
  type: 'IntegrationCreated',
  growing: ['slug', 'properties[].name'],
  description: 'An integration of a project was set up; its secrets are never published.',
  example: examples.IntegrationCreated,
  schema: z.object({ ...ids, ...attributes, ...secrets }),
  upcast: {
    1: (data: object) => ({ ...data, sealedWebhook: null }),
    2: (data: object) => ({ ...data, sealedPassword: null }),
  },
});

export const IntegrationUpdated = defineEvent({
  ...common,
  version: 3,
  type: 'IntegrationUpdated',
  growing: ['slug', 'changes.properties[].name', 'previous.properties[].name', 'withheldChanges[]'],
  description: 'Parameters of an integration of a project changed; its secrets are never published.',
  example: examples.IntegrationUpdated,
  schema: z.object({ ...ids, ...changedWithheld(attributes, secrets, SECRETS) }),
  upcast: { 1: (data: object) => ({ ...data, withheldChanges: [] }), 2: (data: object) => data },
});

export const IntegrationDeleted = defineEvent({
  ...common,
  type: 'IntegrationDeleted',
  description: 'An integration of a project was removed.',
  example: examples.IntegrationDeleted,
  schema: z.object(ids),
});

export const INTEGRATION_DISABLED = { changes: { disabled: true }, previous: { disabled: false } } as const;
export const INTEGRATION_ENABLED = { changes: { disabled: false }, previous: { disabled: true } } as const;

export const IntegrationDisabled = defineEvent({
  ...common,
  type: 'IntegrationDisabled',
  description: 'An integration was switched off, because its receiver failed again and again.',
  example: examples.IntegrationDisabled,
  schema: z.object({
    ...ids,
    failures: z.int().describe('Number of messages in a row that failed.'),
    ...alwaysChanged(INTEGRATION_DISABLED),
  }),
});

export const IntegrationEnabled = defineEvent({
  ...common,
  type: 'IntegrationEnabled',
  description: 'An integration that was switched off is on again: it is told of what happens from now on.',
  example: examples.IntegrationEnabled,
  schema: z.object({ ...ids, ...alwaysChanged(INTEGRATION_ENABLED) }),
});

export const integrationEvents = [
  IntegrationCreated,
  IntegrationUpdated,
  IntegrationDeleted,
  IntegrationDisabled,
  IntegrationEnabled,
] as const;
export type IntegrationEvent = EventOf<(typeof integrationEvents)[number]>;
