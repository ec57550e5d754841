import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { alwaysChanged, changedWithheld } from '../../shared/changes.ts';
import { userId } from '../../shared/event.fields.ts';
import type { NameForfeitedEvent } from '../../shared/route.events.ts';
import { defaultsOf, setting } from '../../shared/settings.ts';
import type { UserEmailEvent } from '../user-emails/user-email.events.ts';
import examples from './user.events.examples.json' with { type: 'json' };

/** Fields keep the names of the API. */
export const userProfile = z.object({
  bio: setting(z.string(), '', 'What users say of themselves.'),
  location: setting(z.string().nullable(), null, 'Where the user is.'),
  public_email: setting(z.string(), '', 'The e-mail address that everybody sees; empty for none.'),
  skype: setting(z.string(), '', 'Skype account.'),
  linkedin: setting(z.string(), '', 'LinkedIn account.'),
  twitter: setting(z.string(), '', 'Twitter account.'),
  website_url: setting(z.string(), '', 'Address of a site of the user.'),
  organization: setting(z.string().nullable(), null, 'Where the user works.'),
  job_title: setting(z.string(), '', 'Profession.'),
  note: setting(z.string().nullable(), null, 'Note of the administrators.'),
  theme_id: setting(z.int(), 1, 'Theme of the pages.'),
  color_scheme_id: setting(z.int(), 1, 'Colours of the file viewer.'),
  projects_limit: setting(z.int(), 100_000, 'Most projects of the user.'),
  can_create_group: setting(z.boolean(), true, 'Whether the user may create groups.'),
  private_profile: setting(z.boolean(), false, 'Whether only the user sees the profile.'),
  view_diffs_file_by_file: setting(z.boolean(), false, 'Whether one file at a time is shown of a diff.'),
  shared_runners_minutes_limit: setting(
    z.int().nullable(),
    null,
    'Minutes a month on shared runners; null for the limit of the instance.',
  ),
  extra_shared_runners_minutes_limit: setting(
    z.int().nullable(),
    null,
    'Further minutes on shared runners; null for none.',
  ),
  avatar_url: setting(z.string().nullable(), null, 'Address of the avatar.'),
  commit_email: setting(
    z.string().nullable(),
    null,
    'The e-mail address in commits made by the API; null for the address of the account.',
  ),
});

export const identity = z.object({
  provider: z.string().describe('Name of the identity provider.'),
  extern_uid: personal(z.string().describe('Id of the user at the provider.')),
  saml_provider_id: z.int().nullable().describe('Id of the SAML provider; null for others.'),
});

export type UserProfile = z.output<typeof userProfile>;
export type Identity = z.output<typeof identity>;

export const USER_PROFILE_DEFAULTS = defaultsOf(userProfile);

const namespaceId = z.int().describe('Id of the personal namespace, unique among users and groups.');
const account = {
  username: personal(z.string().describe('Name of the account, and path of the personal namespace.')),
  name: personal(z.string().describe('Full name.')),
  email: personal(z.string().describe('E-mail address of the account.')),
  admin: z.boolean().describe('Whether the user is an administrator.'),
  external: z.boolean().describe('Whether the user is external, and sees no internal projects.'),
};
const confirmed = z.boolean().describe('Whether the e-mail address is confirmed.');
const identities = z.array(identity).describe('Accounts at identity providers that sign in as the user.');

export const USER_BLOCKED = { changes: { state: 'blocked' }, previous: { state: 'active' } } as const;
export const USER_UNBLOCKED = { changes: { state: 'active' }, previous: { state: 'blocked' } } as const;

export const USER_DEACTIVATED = { changes: { state: 'deactivated' }, previous: { state: 'active' } } as const;
export const USER_ACTIVATED = { changes: { state: 'active' }, previous: { state: 'deactivated' } } as const;
export const USER_BANNED = { changes: { state: 'banned' }, previous: { state: 'active' } } as const;
export const USER_UNBANNED = { changes: { state: 'active' }, previous: { state: 'banned' } } as const;

export const UserCreated = defineEvent({
  type: 'UserCreated',
  version: 1,
  description: 'A user was created, with a personal namespace.',
  subject: 'user-<userId>',
  example: examples.UserCreated,
  service: 'admin',
  audit: privileged('User'),
  activity: 'administration',
  schema: z.object({
    userId,
    namespaceId,
    ...account,
    bot: z.boolean().describe('Whether the account is of a program.'),
    passwordHash: z
      .string()
      .nullable()
      .describe('Hash of the password by argon2id, null without a password; never published.'),
    confirmed,
    identities,
    profile: personal(
      userProfile.partial().describe('Fields that were given; the others have their default.'),
    ),
  }),
  withheld: ['passwordHash'],
});

export const UserUpdated = defineEvent({
  type: 'UserUpdated',
  version: 2,
  description: 'The account or the profile of a user changed.',
  subject: 'user-<userId>',
  example: examples.UserUpdated,
  service: 'admin',
  audit: privileged('User'),
  activity: 'administration',
  schema: z.object({
    userId,
    ...changedWithheld(
      {
        ...account,
        confirmed,
        identities,
        profile: personal(userProfile.partial().describe('The changed fields of the profile.')),
      },
      { passwordHash: z.string().describe('Hash of the new password by argon2id; never published.') },
      ['password'],
    ),
  }),
  withheld: ['passwordHash'],
  upcast: {
    1: (data) => ({
      ...data,
      previous: null,
      withheldChanges: data.changes.passwordHash === undefined ? [] : ['password'],
    }),
  },
});

export const UserBlocked = defineEvent({
  type: 'UserBlocked',
  version: 2,
  description: 'A user was blocked: they can no longer do anything, and keep what they have.',
  subject: 'user-<userId>',
  example: examples.UserBlocked,
  service: 'admin',
  audit: privileged('User'),
  activity: 'administration',
  schema: z.object({ userId, ...alwaysChanged(USER_BLOCKED) }),
  upcast: { 1: (data) => ({ ...data, ...USER_BLOCKED }) },
});

export const UserUnblocked = defineEvent({
  type: 'UserUnblocked',
  version: 2,
  description: 'A user is no longer blocked.',
  subject: 'user-<userId>',
  example: examples.UserUnblocked,
  service: 'admin',
  audit: privileged('User'),
  activity: 'administration',
  schema: z.object({ userId, ...alwaysChanged(USER_UNBLOCKED) }),
  upcast: { 1: (data) => ({ ...data, ...USER_UNBLOCKED }) },
});

const changeOfState = {
  version: 1,
  subject: 'user-<userId>',
  service: 'admin',
  audit: privileged('User'),
  activity: 'administration',
} as const;

export const UserDeactivated = defineEvent({
  ...changeOfState,
  type: 'UserDeactivated',
  description:
    'A user who stayed away was deactivated: they can do nothing until an administrator activates them.',
  example: examples.UserDeactivated,
  schema: z.object({ userId, ...alwaysChanged(USER_DEACTIVATED) }),
});

export const UserActivated = defineEvent({
  ...changeOfState,
  type: 'UserActivated',
  description: 'A user is no longer deactivated.',
  example: examples.UserActivated,
  schema: z.object({ userId, ...alwaysChanged(USER_ACTIVATED) }),
});

export const UserBanned = defineEvent({
  ...changeOfState,
  type: 'UserBanned',
  description: 'A user was banned: they can no longer do anything, and keep what they have.',
  example: examples.UserBanned,
  schema: z.object({ userId, ...alwaysChanged(USER_BANNED) }),
});

export const UserUnbanned = defineEvent({
  ...changeOfState,
  type: 'UserUnbanned',
  description: 'A user is no longer banned.',
  example: examples.UserUnbanned,
  schema: z.object({ userId, ...alwaysChanged(USER_UNBANNED) }),
});

export const UserDeleted = defineEvent({
  type: 'UserDeleted',
  version: 1,
  description: 'A user was deleted.',
  subject: 'user-<userId>',
  example: examples.UserDeleted,
  service: 'admin',
  audit: privileged('User'),
  activity: 'administration',
  schema: z.object({
    userId,
    namespaceId,
    username: account.username,
    email: account.email,
    hardDelete: z
      .boolean()
      .describe('Whether what the user contributed was deleted too, instead of staying without its author.'),
  }),
});

export const userEvents = [
  UserCreated,
  UserUpdated,
  UserBlocked,
  UserUnblocked,
  UserDeactivated,
  UserActivated,
  UserBanned,
  UserUnbanned,
  UserDeleted,
] as const;
export type UserEvent = EventOf<(typeof userEvents)[number]>;

/** Every event of a stream `user-<id>`. */
export type UserStreamEvent = UserEvent | UserEmailEvent | NameForfeitedEvent;
