import {
  USER_PROFILE_DEFAULTS,
  type UserEvent,
  userEvents,
} from '@forgelog/contracts/admin/users/user.events.ts';
import { defineProjection, type Recorded } from '@forgelog/eventing/define-projection.ts';
import { fold } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection } from '@forgelog/eventing/read-store.ts';
import type { UserRecord } from './user-record.ts';

export const users = defineCollection({
  name: 'users',
  key: 'id',
  fields: {
    id: 'integer',
    namespaceId: 'integer',
    username: 'text',
    usernameLower: 'text',
    name: 'text',
    nameFolded: 'text',
    email: 'text',
    emailLower: 'text',
    /** Null where the user shows none. */
    publicEmailLower: 'text?',
    state: 'text',
    admin: 'boolean',
    external: 'boolean',
    canCreateGroup: 'boolean',
    /** `<provider> <extern_uid>`. */
    identityKeys: 'text[]',
    samlProviderIds: 'integer[]',
    createdAt: 'text',
    updatedAt: 'text',
    /** A UserRecord: the source of every view of a user. */
    record: 'json',
  },
  indexes: [
    ['usernameLower'],
    ['emailLower'],
    ['publicEmailLower'],
    ['identityKeys'],
    ['nameFolded'],
    ['createdAt'],
    ['updatedAt'],
    ['state'],
  ],
  search: ['username', 'name', 'email'],
  words: ['username', 'name'],
});

type UserRow = DocumentOf<typeof users>;

export const identityKey = (provider: string, externUid: string) => `${provider} ${externUid}`;

export const usersProjection = defineProjection<UserEvent>({
  name: 'users',
  collections: [users],
  handles: userEvents.map(({ type }) => type),
  async project(event, documents) {
    if (event.type === 'UserDeleted') return documents.delete(users, event.data.userId);
    const current = (await documents.get(users, event.data.userId))?.record as UserRecord | undefined;
    const next = apply(current, event);
    if (next) documents.put(users, rowOf(next));
  },
});

function apply(
  current: UserRecord | undefined,
  event: Exclude<Recorded<UserEvent>, { type: 'UserDeleted' }>,
): UserRecord | undefined {
  const { time } = event;
  if (event.type === 'UserCreated') {
    const { userId, passwordHash: _, confirmed, ...fields } = event.data;
    const confirmedAt = confirmed ? time : null;
    const avatarUrl = fields.profile.avatar_url ?? null;
    const times = { confirmedAt, createdAt: time, updatedAt: time };
    return { id: userId, ...fields, avatarUrl, state: 'active', ...times };
  }
  if (!current) return undefined;
  switch (event.type) {
    case 'UserUpdated': {
      const { passwordHash: _, confirmed, profile, ...changes } = event.data.changes;
      // A new address is verified, or not, at this time.
      const isNewEmail = changes.email !== undefined;
      const isConfirmed = confirmed ?? current.confirmedAt !== null;
      const confirmedAt = isConfirmed ? (!isNewEmail && current.confirmedAt) || time : null;
      return {
        ...current,
        ...changes,
        profile: { ...current.profile, ...profile },
        avatarUrl: profile?.avatar_url === undefined ? current.avatarUrl : profile.avatar_url,
        confirmedAt,
        updatedAt: time,
      };
    }
    case 'UserBlocked':
      return { ...current, state: 'blocked', updatedAt: time };
    case 'UserDeactivated':
      return { ...current, state: 'deactivated', updatedAt: time };
    case 'UserBanned':
      return { ...current, state: 'banned', updatedAt: time };
    case 'UserUnblocked':
    case 'UserActivated':
    case 'UserUnbanned':
      return { ...current, state: 'active', updatedAt: time };
    default:
      return event satisfies never;
  }
}

function rowOf(record: UserRecord): UserRow {
  const { id, namespaceId, username, name, email, state, admin, external, identities } = record;
  const { createdAt, updatedAt } = record;
  return {
    ...{ id, namespaceId, username, name, email, state, admin, external, createdAt, updatedAt, record },
    usernameLower: username.toLowerCase(),
    nameFolded: fold(name),
    emailLower: email.toLowerCase(),
    publicEmailLower: record.profile.public_email?.toLowerCase() || null,
    canCreateGroup: record.profile.can_create_group ?? USER_PROFILE_DEFAULTS.can_create_group,
    identityKeys: identities.map(({ provider, extern_uid }) => identityKey(provider, extern_uid)),
    samlProviderIds: identities.flatMap(({ saml_provider_id }) => saml_provider_id ?? []),
  };
}
