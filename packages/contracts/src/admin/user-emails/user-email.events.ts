import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { alwaysChanged } from '../../shared/changes.ts';
import { userId } from '../../shared/event.fields.ts';
import examples from './user-email.events.examples.json' with { type: 'json' };

export const EMAIL_CONFIRMED = { changes: { confirmed: true }, previous: { confirmed: false } } as const;

/** Addresses are in the stream of their user, who has each of them once, and no other user. */
const common = {
  version: 1,
  subject: 'user-<userId>',
  service: 'admin',
  audit: privileged('User', 'UserEmail'),
  activity: 'administration',
} as const;
const email = { userEmailId: z.int().describe('Id of the address.'), userId };

export const UserEmailCreated = defineEvent({
  ...common,
  type: 'UserEmailCreated',
  description: 'A user got one more e-mail address beside that of the account.',
  example: examples.UserEmailCreated,
  schema: z.object({
    ...email,
    email: personal(z.string().describe('The address.')),
    confirmed: z.boolean().describe('Whether it is known to be theirs.'),
  }),
});

export const UserEmailConfirmed = defineEvent({
  ...common,
  type: 'UserEmailConfirmed',
  description: 'A further e-mail address of a user is known to be theirs.',
  example: examples.UserEmailConfirmed,
  schema: z.object({ ...email, ...alwaysChanged(EMAIL_CONFIRMED) }),
});

export const UserEmailDeleted = defineEvent({
  ...common,
  type: 'UserEmailDeleted',
  description: 'A user no longer has a further e-mail address, or made it that of the account.',
  example: examples.UserEmailDeleted,
  schema: z.object(email),
});

export const userEmailEvents = [UserEmailCreated, UserEmailConfirmed, UserEmailDeleted] as const;
export type UserEmailEvent = EventOf<(typeof userEmailEvents)[number]>;
