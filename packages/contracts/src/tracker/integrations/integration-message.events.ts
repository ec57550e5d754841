import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { projectId } from '../../shared/event.fields.ts';
import { sendingFields } from '../web-hooks/sending.fields.ts';
import { INTEGRATION_SLUGS } from './integration-kinds.ts';
import examples from './integration-message.events.examples.json' with { type: 'json' };

/** The stream of an integration says up to where it has told of events. */
export const IntegrationMessageHandled = defineEvent({
  type: 'IntegrationMessageHandled',
  version: 1,
  description: 'A receiver took what an integration had to say of an event, or it was given up.',
  subject: 'integrationMessages-<integrationId>',
  example: examples.IntegrationMessageHandled,
  service: 'tracker',
  audit: 'system',
  activity: 'system',
  withheld: ['toldUpTo'],
  growing: ['slug'],
  schema: z.object({
    integrationId: z.int().describe('Id of the integration.'),
    projectId,
    slug: z.enum(INTEGRATION_SLUGS).describe('Which integration it is.'),
    eventId: z.string().describe('Id of the event that it tells of.'),
    delivered: z.boolean().describe('Whether the chat, or a mailbox at least, took it.'),
    ...sendingFields,
    toldUpTo: z.string().describe('Position of that event.'),
  }),
});

export const integrationMessageEvents = [IntegrationMessageHandled] as const;
export type IntegrationMessageEvent = EventOf<(typeof integrationMessageEvents)[number]>;
