import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import type { NameForfeitedEvent } from '../../shared/route.events.ts';

/** Streams `user-<id>`. Fields of the profile keep the names of the API. */
export const userProfile = z.object({
  bio: z.string(),
  location: z.string().nullable(),
  public_email: z.string(),
  skype: z.string(),
  linkedin: z.string(),
  twitter: z.string(),
  website_url: z.string(),
  organization: z.string().nullable(),
  job_title: z.string(),
  note: z.string().nullable(),
  theme_id: z.int(),
  color_scheme_id: z.int(),
  projects_limit: z.int(),
  can_create_group: z.boolean(),
  private_profile: z.boolean(),
  view_diffs_file_by_file: z.boolean(),
  shared_runners_minutes_limit: z.int().nullable(),
  extra_shared_runners_minutes_limit: z.int().nullable(),
  avatar_url: z.string().nullable(),
  commit_email: z.string().nullable(),
});

export const identity = z.object({
  provider: z.string(),
  extern_uid: z.string(),
  saml_provider_id: z.int().nullable(),
});

export type UserProfile = z.output<typeof userProfile>;
export type Identity = z.output<typeof identity>;

export const UserCreated = defineEvent({
  type: 'UserCreated',
  version: 1,
  service: 'admin',
  audit: privileged('User'),
  activity: 'administration',
  schema: z.object({
    userId: z.int(),
    /** Id of the personal namespace, unique among groups too. */
    namespaceId: z.int(),
    username: z.string(),
    name: z.string(),
    email: z.string(),
    admin: z.boolean(),
    external: z.boolean(),
    bot: z.boolean(),
    /** argon2id; null for a user without a password. */
    passwordHash: z.string().nullable(),
    confirmed: z.boolean(),
    identities: z.array(identity),
    profile: userProfile.partial(),
  }),
  personalData: ['username', 'name', 'email', 'profile'],
  withheld: ['passwordHash'],
});

export const UserUpdated = defineEvent({
  type: 'UserUpdated',
  version: 1,
  service: 'admin',
  audit: privileged('User'),
  activity: 'administration',
  schema: z.object({
    userId: z.int(),
    changes: z
      .object({
        username: z.string(),
        name: z.string(),
        email: z.string(),
        admin: z.boolean(),
        external: z.boolean(),
        passwordHash: z.string(),
        confirmed: z.boolean(),
        identities: z.array(identity),
        profile: userProfile.partial(),
      })
      .partial(),
  }),
  personalData: ['changes.username', 'changes.name', 'changes.email', 'changes.profile'],
  withheld: ['passwordHash'],
});

export const UserBlocked = defineEvent({
  type: 'UserBlocked',
  version: 1,
  service: 'admin',
  audit: privileged('User'),
  activity: 'administration',
  schema: z.object({ userId: z.int() }),
});

export const UserUnblocked = defineEvent({
  type: 'UserUnblocked',
  version: 1,
  service: 'admin',
  audit: privileged('User'),
  activity: 'administration',
  schema: z.object({ userId: z.int() }),
});

export const UserDeleted = defineEvent({
  type: 'UserDeleted',
  version: 1,
  service: 'admin',
  audit: privileged('User'),
  activity: 'administration',
  schema: z.object({
    userId: z.int(),
    namespaceId: z.int(),
    username: z.string(),
    email: z.string(),
    hardDelete: z.boolean(),
  }),
  personalData: ['username', 'email'],
});

export const userEvents = [UserCreated, UserUpdated, UserBlocked, UserUnblocked, UserDeleted] as const;
export type UserEvent = EventOf<(typeof userEvents)[number]>;

/** Every event of a stream `user-<id>`. */
export type UserStreamEvent = UserEvent | NameForfeitedEvent;
