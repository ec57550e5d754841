import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { sendingFields } from './sending.fields.ts';
import examples from './web-hook-delivery.events.examples.json' with { type: 'json' };
import { TRIGGERS } from './web-hook-triggers.ts';

/** Each stream has one event, so that no delivery ends twice. */
export const WebHookDelivered = defineEvent({
  type: 'WebHookDelivered',
  version: 1,
  description: 'A delivery of a hook ended: its receiver took it, or it was given up.',
  subject: 'webHookDelivery-<webHookDeliveryId>',
  example: examples.WebHookDelivered,
  service: 'tracker',
  audit: 'system',
  activity: 'system',
  withheld: ['toldUpTo'],
  schema: z.object({
    webHookDeliveryId: z.int().describe('Id of the delivery.'),
    webHookId: z.int().describe('Id of the hook.'),
    projectId: z.int().nullable().describe('Id of the project whose hook it is; null for others.'),
    groupId: z.int().nullable().describe('Id of the group whose hook it is; null for others.'),
    trigger: z.enum(TRIGGERS).describe('What the receiver was told of.'),
    cause: z
      .enum(['event', 'resend', 'test'])
      .describe('Whether an event caused it, somebody sent it again, or somebody tried the hook.'),
    eventId: z.string().nullable().describe('Id of the event that it tells of; null for a test without one.'),
    eventSubject: z.string().nullable().describe('Subject of that event; null for a test without one.'),
    eventRevision: z
      .int()
      .nullable()
      .describe('Revision of that event of its subject; null for a test without one.'),
    part: z.int().describe('Which of the messages about that event it is, from 0 on.'),
    toldUpTo: z
      .string()
      .nullable()
      .describe('Position up to which the hook has been told of everything; null where that did not change.'),
    delivered: z.boolean().describe('Whether the receiver answered with success.'),
    ...sendingFields,
    milliseconds: z.int().describe('How long the last attempt took.'),
  }),
});

export const webHookDeliveryEvents = [WebHookDelivered] as const;
export type WebHookDeliveryEvent = EventOf<(typeof webHookDeliveryEvents)[number]>;
