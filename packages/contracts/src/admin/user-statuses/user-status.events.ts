import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import { userId } from '../../shared/event.fields.ts';
import examples from './user-status.events.examples.json' with { type: 'json' };

export const AVAILABILITIES = ['not_set', 'busy'] as const;

const attributes = {
  emoji: personal(z.string().nullable().describe('Name of an emoji; null for none.')),
  message: personal(z.string().nullable().describe('What the user says; null for nothing.')),
  availability: z.enum(AVAILABILITIES).describe('Whether the user is busy.'),
  endsAt: z.string().nullable().describe('When the status ends; null where it does not by itself.'),
};

const common = {
  version: 1,
  subject: 'userStatus-<userId>',
  service: 'admin',
  audit: 'content',
  activity: 'own',
} as const;

export const UserStatusCreated = defineEvent({
  ...common,
  type: 'UserStatusCreated',
  description: 'A user said for the first time what they do just now.',
  example: examples.UserStatusCreated,
  schema: z.object({ userId, ...attributes }),
});

export const UserStatusUpdated = defineEvent({
  ...common,
  type: 'UserStatusUpdated',
  description: 'A user said something else of what they do just now, or nothing any more.',
  example: examples.UserStatusUpdated,
  schema: z.object({ userId, ...changed(attributes) }),
});

export const userStatusEvents = [UserStatusCreated, UserStatusUpdated] as const;
export type UserStatusEvent = EventOf<(typeof userStatusEvents)[number]>;
