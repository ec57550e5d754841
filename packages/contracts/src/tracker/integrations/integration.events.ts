import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './integration.events.examples.json' with { type: 'json' };
import { EVENT_FLAGS, INTEGRATION_SLUGS, PROPERTY_NAMES } from './integration-kinds.ts';

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

const common = {
  version: 1,
  subject: 'integration-<projectId>-<slug>',
  service: 'tracker',
  audit: privileged('Project', 'Integration'),
  activity: 'unnamed',
} as const;

export const IntegrationCreated = defineEvent({
  ...common,
  type: 'IntegrationCreated',
  description: 'An integration of a project was set up.',
  example: examples.IntegrationCreated,
  schema: z.object({ ...ids, ...attributes }),
});

export const IntegrationUpdated = defineEvent({
  ...common,
  type: 'IntegrationUpdated',
  description: 'Parameters of an integration of a project changed.',
  example: examples.IntegrationUpdated,
  schema: z.object({ ...ids, ...changed(attributes) }),
});

export const IntegrationDeleted = defineEvent({
  ...common,
  type: 'IntegrationDeleted',
  description: 'An integration of a project was removed.',
  example: examples.IntegrationDeleted,
  schema: z.object(ids),
});

export const integrationEvents = [IntegrationCreated, IntegrationUpdated, IntegrationDeleted] as const;
export type IntegrationEvent = EventOf<(typeof integrationEvents)[number]>;
