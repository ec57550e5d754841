import type {
  Identity,
  UserEvent,
  UserProfile,
  UserStreamEvent,
} from '@forgelog/contracts/admin/users/user.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { userProblems } from './user.rules.ts';
import { DEFAULT_LIMITS, EXTERNAL_LIMITS, type UserFields } from './user-fields.ts';

export type UserState =
  | { status: 'absent' }
  | ({ status: 'active' | 'blocked'; namespaceId: number } & UserFields)
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
  | { type: 'BlockUser'; userId: number }
  | { type: 'UnblockUser'; userId: number }
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
    if (state.status !== 'active' && state.status !== 'blocked')
      throw new Rejection('not_found', { what: 'User' });
    switch (command.type) {
      case 'UpdateUser': {
        const changes = changed(state, command.changes);
        if (Object.keys(changes).length === 0) return [];
        requireValid(changes, { ...state, ...changes });
        return [{ type: 'UserUpdated', data: { userId, changes } }];
      }
      case 'BlockUser':
        return state.status === 'blocked' ? [] : [{ type: 'UserBlocked', data: { userId } }];
      case 'UnblockUser':
        return state.status === 'active' ? [] : [{ type: 'UserUnblocked', data: { userId } }];
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
        return { status: 'active', ...fields };
      }
      case 'UserDeleted':
        return { status: 'deleted' };
      case 'NameForfeited':
        return state.status === 'absent' ? { status: 'deleted' } : state;
    }
    if (state.status !== 'active' && state.status !== 'blocked') return state;
    switch (event.type) {
      case 'UserUpdated': {
        const { passwordHash: _, profile, ...changes } = event.data.changes;
        return { ...state, ...changes, profile: { ...state.profile, ...profile } };
      }
      case 'UserBlocked':
        return { ...state, status: 'blocked' };
      case 'UserUnblocked':
        return { ...state, status: 'active' };
      default:
        return event satisfies never;
    }
  },
};

function requireValid(
  given: Partial<Omit<UserFields, 'identities'>>,
  whole: Pick<UserFields, 'email' | 'confirmed'>,
): void {
  const fields = userProblems(given, whole);
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}

type Changes = Extract<UserEvent, { type: 'UserUpdated' }>['data']['changes'];

/** Wanted changes that differ from the state; a new password always counts. */
function changed(
  state: UserFields,
  { profile: wantedProfile = {}, identity, passwordHash, confirmed, ...wanted }: ChangesWanted,
): Changes {
  const fields = differences<Omit<UserFields, 'identities' | 'profile'>>(state, wanted);
  // A new address does not inherit the verification.
  if (fields.email !== undefined && confirmed !== undefined) fields.confirmed = confirmed;
  const profile = differences(state.profile, {
    ...wantedProfile,
    ...consequences(state, fields, wantedProfile),
  });
  return {
    ...fields,
    ...(Object.keys(profile).length > 0 ? { profile } : {}),
    ...(passwordHash === undefined ? {} : { passwordHash }),
    ...identityChange(state.identities, identity),
  };
}

/** Profile changes that follow from other changes. */
function consequences(
  state: UserFields,
  { external, email }: Partial<UserFields>,
  wanted: Partial<UserProfile>,
): Partial<UserProfile> {
  // External users lose these permissions; others get them back unless the command says otherwise.
  const limits =
    external === undefined ? {} : external ? EXTERNAL_LIMITS : { ...DEFAULT_LIMITS, ...defined(wanted) };
  const shown = state.profile.public_email;
  const hidden =
    email !== undefined && shown && wanted.public_email === undefined ? { public_email: '' } : {};
  return { ...limits, ...hidden };
}

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

type ChangesWanted = Extract<UserCommand, { type: 'UpdateUser' }>['changes'];

function identityChange(
  present: readonly Identity[],
  wanted: Identity | undefined,
): Pick<Changes, 'identities'> {
  if (wanted === undefined) return {};
  const same = present.find(({ provider }) => provider === wanted.provider);
  if (same?.extern_uid === wanted.extern_uid) return {};
  return { identities: [...present.filter((identity) => identity !== same), wanted] };
}

function differences<T extends object>(present: T, wanted: Partial<T>): Partial<T> {
  const entries = Object.entries(wanted) as [keyof T, unknown][];
  return Object.fromEntries(
    entries.filter(([name, value]) => value !== undefined && value !== present[name]),
  ) as Partial<T>;
}
