import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import examples from './notification-mail.events.examples.json' with { type: 'json' };

export const MAIL_OUTCOMES = ['sent', 'refused', 'given_up'] as const;

/** The stream of a user and a subject says up to where that user has been told. */
export const NotificationMailHandled = defineEvent({
  type: 'NotificationMailHandled',
  version: 1,
  description: 'A mail to a user about something was sent, or will not be.',
  subject: 'notificationMail-<userId>-<thread>',
  example: examples.NotificationMailHandled,
  service: 'tracker',
  audit: 'system',
  activity: 'system',
  withheld: ['toldUpTo'],
  schema: z.object({
    userId: z.int().describe('Id of the user whom it went to.'),
    thread: z.string().describe('Kind and id of what it is about, such as `Issue-70`.'),
    projectId: z.int().nullable().describe('Id of the project; null elsewhere.'),
    groupId: z.int().nullable().describe('Id of the group; null elsewhere.'),
    outcome: z
      .enum(MAIL_OUTCOMES)
      .describe('Whether the mail server took it, refused it for good, or took too long to be reached.'),
    eventIds: z.array(z.string()).describe('Ids of the events that it tells of, 50 at most.'),
    attempts: z.int().describe('How often it was sent.'),
    toldUpTo: z.string().describe('Position of the newest of these events.'),
  }),
});

export const notificationMailEvents = [NotificationMailHandled] as const;
export type NotificationMailEvent = EventOf<(typeof notificationMailEvents)[number]>;
