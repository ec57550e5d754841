import {
  type Identity,
  USER_ACTIVATED,
  USER_BANNED,
  USER_BLOCKED,
  USER_DEACTIVATED,
  USER_PROFILE_DEFAULTS,
  USER_UNBANNED,
  USER_UNBLOCKED,
  type UserProfile,
  type UserStreamEvent,
} from '@forgelog/contracts/admin/users/user.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom, type Part, withSecret } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { type FurtherEmail, furtherEmailsAfter, isSameEmail } from './further-emails.ts';
import { type OwnedEmails, userProblems } from './user.rules.ts';
import { EXTERNAL_LIMITS, type UserFields } from './user-fields.ts';

/** What the API calls the state of a user. */
type Standing = 'active' | 'blocked' | 'deactivated' | 'banned';

export type UserState =
  | { status: 'absent' }
  | ({ status: Standing; namespaceId: number; further: readonly FurtherEmail[] } & UserFields)
  | { status: 'deleted' };

export type UserCommand =
  | ({
      type: 'CreateUser';
      userId: number;
      namespaceId: number;
      bot: boolean;
      /** argon2id; null means that no password opens the account. */
      passwordHash: string | null;
    } & UserFields)
  | {
      type: 'UpdateUser';
      userId: number;
      /** An identity replaces the one of the same provider. */
      changes: Partial<Omit<UserFields, 'identities'> & { passwordHash: string; identity: Identity }>;
    }
  | { type: 'DeleteIdentity'; userId: number; provider: string }
  | { type: 'BlockUser'; userId: number }
  | { type: 'UnblockUser'; userId: number }
  /** `recentlyActive`: whether the user was there in the last 90 days. */
  | { type: 'DeactivateUser'; userId: number; recentlyActive: boolean }
  | { type: 'ActivateUser'; userId: number }
  | { type: 'BanUser'; userId: number }
  | { type: 'UnbanUser'; userId: number }
  /** Lets the user in again, whatever shut them out. */
  | { type: 'ReinstateUser'; userId: number }
  | { type: 'DeleteUser'; userId: number; hardDelete: boolean };

export const userStream = (id: number) => `user-${id}`;

export const userDecider: Decider<UserState, UserCommand, UserStreamEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { userId } = command;
    if (command.type === 'CreateUser') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      const { type: _, profile, identities, ...fields } = command;
      requireValid({ ...fields, profile }, command);
      const limits = command.external ? EXTERNAL_LIMITS : {};
      return [
        {
          type: 'UserCreated',
          data: { ...fields, identities: [...identities], profile: { ...profile, ...limits } },
        },
      ];
    }
    if (state.status === 'absent' || state.status === 'deleted')
      throw new Rejection('not_found', { what: 'User' });
    switch (command.type) {
      case 'UpdateUser': {
        const { passwordHash } = command.changes;
        const fields = changesFrom(withDefaults(state), wantedFields(state, command.changes));
        const change = withSecret(
          fields,
          'password',
          passwordHash === undefined ? undefined : { passwordHash },
        );
        if (change === null) return [];
        requireValid(change.changes, { ...state, ...change.changes });
        // A further address that becomes that of the account is no further one.
        const taken = state.further.find(({ email }) => isSameEmail(email, change.changes.email ?? ''));
        return [
          { type: 'UserUpdated', data: { userId, ...change } },
          ...(taken
            ? [{ type: 'UserEmailDeleted' as const, data: { userEmailId: taken.userEmailId, userId } }]
            : []),
        ];
      }
      case 'DeleteIdentity': {
        const identities = state.identities.filter(({ provider }) => provider !== command.provider);
        if (identities.length === state.identities.length)
          throw new Rejection('not_found', { what: 'Identity' });
        const change = withSecret(changesFrom(withDefaults(state), { identities }), 'password', undefined)!;
        return [{ type: 'UserUpdated', data: { userId, ...change } }];
      }
      case 'BlockUser': {
        if (isShutOut(state.status)) return [];
        const blocked: UserStreamEvent = { type: 'UserBlocked', data: { userId, ...USER_BLOCKED } };
        return [...(state.status === 'deactivated' ? reinstated(userId, state.status) : []), blocked];
      }
      case 'UnblockUser':
        if (state.status === 'deactivated')
          throw forbidden('Deactivated users cannot be unblocked by the API');
        return state.status === 'blocked' ? reinstated(userId, state.status) : [];
      case 'DeactivateUser':
        if (isShutOut(state.status)) throw forbidden('A blocked user cannot be deactivated by the API');
        if (state.status === 'deactivated') return [];
        if (command.recentlyActive)
          throw forbidden(
            'The user you are trying to deactivate has been active in the past 90 days and cannot be deactivated',
          );
        return [{ type: 'UserDeactivated', data: { userId, ...USER_DEACTIVATED } }];
      case 'ActivateUser':
        if (isShutOut(state.status)) throw forbidden('A blocked user must be unblocked to be activated');
        return reinstated(userId, state.status);
      case 'BanUser':
        if (state.status !== 'active') throw forbidden(`You cannot ban ${state.status} users.`);
        return [{ type: 'UserBanned', data: { userId, ...USER_BANNED } }];
      case 'UnbanUser':
        if (state.status !== 'banned') throw forbidden(`You cannot unban ${state.status} users.`);
        return reinstated(userId, state.status);
      case 'ReinstateUser':
        return reinstated(userId, state.status);
      case 'DeleteUser': {
        const { namespaceId, username, email } = state;
        const { hardDelete } = command;
        return [{ type: 'UserDeleted', data: { userId, namespaceId, username, email, hardDelete } }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'UserCreated': {
        const { userId: _, bot: __, passwordHash: ___, ...fields } = event.data;
        return { status: 'active', further: [], ...fields };
      }
      case 'UserDeleted':
        return { status: 'deleted' };
      case 'NameForfeited':
        return state.status === 'absent' ? { status: 'deleted' } : state;
    }
    if (state.status === 'absent' || state.status === 'deleted') return state;
    switch (event.type) {
      case 'UserEmailCreated':
      case 'UserEmailConfirmed':
      case 'UserEmailDeleted':
        return { ...state, further: furtherEmailsAfter(state.further, event) };
      case 'UserUpdated': {
        const { passwordHash: _, profile, ...changes } = event.data.changes;
        return { ...state, ...changes, profile: { ...state.profile, ...profile } };
      }
      case 'UserBlocked':
        return { ...state, status: 'blocked' };
      case 'UserDeactivated':
        return { ...state, status: 'deactivated' };
      case 'UserBanned':
        return { ...state, status: 'banned' };
      case 'UserUnblocked':
      case 'UserActivated':
      case 'UserUnbanned':
        return { ...state, status: 'active' };
      default:
        return event satisfies never;
    }
  },
};

const forbidden = (reason: string) => new Rejection('forbidden', { reason });

/** An administrator decided so about the user, who did not just stay away. */
const isShutOut = (status: Standing): boolean => status === 'blocked' || status === 'banned';

/** What ends the state that a user is in, where they are not active. */
function reinstated(userId: number, status: Standing): UserStreamEvent[] {
  switch (status) {
    case 'active':
      return [];
    case 'blocked':
      return [{ type: 'UserUnblocked', data: { userId, ...USER_UNBLOCKED } }];
    case 'deactivated':
      return [{ type: 'UserActivated', data: { userId, ...USER_ACTIVATED } }];
    case 'banned':
      return [{ type: 'UserUnbanned', data: { userId, ...USER_UNBANNED } }];
    default:
      return status satisfies never;
  }
}

function requireValid(given: Partial<Omit<UserFields, 'identities'>>, whole: OwnedEmails): void {
  const fields = userProblems(given, whole);
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}

const withDefaults = ({ username, name, email, admin, external, confirmed, ...more }: UserFields) => ({
  ...{ username, name, email, admin, external, confirmed },
  identities: [...more.identities],
  profile: { ...USER_PROFILE_DEFAULTS, ...more.profile },
});

type Wanted = Extract<UserCommand, { type: 'UpdateUser' }>['changes'];

/** What is asked for, with what follows from it. */
function wantedFields(
  state: UserFields & { further: readonly FurtherEmail[] },
  wanted: Wanted,
): Part<ReturnType<typeof withDefaults>> {
  const { profile, identity, passwordHash: _, confirmed, ...fields } = wanted;
  const isNewEmail = fields.email !== undefined && fields.email !== state.email;
  const isConfirmed = state.further.some(
    (own) => own.confirmed && isSameEmail(own.email, fields.email ?? ''),
  );
  return {
    ...fields,
    // A new address does not inherit the verification of the former one, but has that of its own.
    ...(isNewEmail && { confirmed: isConfirmed || confirmed }),
    profile: { ...profile, ...consequences(state, wanted, isNewEmail) },
    identities: identitiesWith(state.identities, identity),
  };
}

/** Profile changes that follow from other changes. */
function consequences(
  state: UserFields,
  { external, profile = {} }: Wanted,
  isNewEmail: boolean,
): Partial<UserProfile> {
  const { can_create_group, projects_limit } = { ...USER_PROFILE_DEFAULTS, ...defined(profile) };
  // External users lose these permissions; others get them back unless the command says otherwise.
  const limits =
    external === undefined || external === state.external
      ? {}
      : external
        ? EXTERNAL_LIMITS
        : { can_create_group, projects_limit };
  const isShown = isNewEmail && state.profile.public_email && profile.public_email === undefined;
  return { ...limits, ...(isShown && { public_email: '' }) };
}

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function identitiesWith(present: readonly Identity[], wanted: Identity | undefined): Identity[] {
  const same = present.find(({ provider }) => provider === wanted?.provider);
  if (wanted === undefined || same?.extern_uid === wanted.extern_uid) return [...present];
  return [...present.filter((identity) => identity !== same), wanted];
}
