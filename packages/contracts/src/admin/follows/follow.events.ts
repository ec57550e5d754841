import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { userId } from '../../shared/event.fields.ts';
import examples from './follow.events.examples.json' with { type: 'json' };

const common = {
  version: 1,
  subject: 'follow-<followerId>-<userId>',
  service: 'admin',
  audit: 'own',
  activity: 'unnamed',
  schema: z.object({ followerId: z.int().describe('Id of the user who follows.'), userId }),
} as const;

export const UserFollowed = defineEvent({
  ...common,
  type: 'UserFollowed',
  description: 'A user began to follow another.',
  example: examples.UserFollowed,
});

export const UserUnfollowed = defineEvent({
  ...common,
  type: 'UserUnfollowed',
  description: 'A user follows another no more.',
  example: examples.UserUnfollowed,
});

export const followEvents = [UserFollowed, UserUnfollowed] as const;
export type FollowEvent = EventOf<(typeof followEvents)[number]>;
