import { z } from 'zod';
import { SCOPES } from '../../endpoint.ts';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import examples from './oauth-application.events.examples.json' with { type: 'json' };

const application = {
  oauthApplicationId: z.int().describe('Id of the application.'),
  name: personal(z.string().describe('Name that people see when they are asked.')),
};

const common = {
  version: 1,
  subject: 'oauthApplication-<oauthApplicationId>',
  service: 'admin',
  audit: privileged('User', 'OauthApplication'),
  activity: 'administration',
} as const;

export const OauthApplicationCreated = defineEvent({
  ...common,
  type: 'OauthApplicationCreated',
  description:
    'A program was registered for OAuth 2; an event holds only the SHA-256 of its secret, which is never published.',
  example: examples.OauthApplicationCreated,
  schema: z.object({
    ...application,
    clientId: z.string().describe('Name by which it tells who it is.'),
    redirectUris: personal(z.array(z.string()).describe('Addresses to which people may be sent back.')),
    scopes: z.array(z.enum(SCOPES)).describe('What it may ask for.'),
    confidential: z.boolean().describe('Whether it can keep its secret.'),
    secretSha256: z.string().describe('SHA-256 of its secret, in hexadecimal; never published.'),
  }),
  withheld: ['secretSha256'],
});

export const OauthApplicationDeleted = defineEvent({
  ...common,
  type: 'OauthApplicationDeleted',
  description: 'A program was deleted, and opens nothing from this event on.',
  example: examples.OauthApplicationDeleted,
  schema: z.object(application),
});

export const oauthApplicationEvents = [OauthApplicationCreated, OauthApplicationDeleted] as const;
export type OauthApplicationEvent = EventOf<(typeof oauthApplicationEvents)[number]>;
