import {
  USER_ACTIVATED,
  USER_BANNED,
  USER_BLOCKED,
  USER_DEACTIVATED,
  USER_UNBANNED,
  USER_UNBLOCKED,
  type UserStreamEvent,
} from '@forgelog/contracts/admin/users/user.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { describe, expect, test } from 'vitest';
import { userDecider as decider, type UserCommand } from './user.decider.ts';

const ada = {
  type: 'CreateUser',
  userId: 2,
  namespaceId: 3,
  username: 'ada',
  name: 'Ada',
  email: 'ada@example.org',
  admin: false,
  external: false,
  bot: false,
  confirmed: true,
  passwordHash: null,
  identities: [],
  profile: {},
} as const satisfies UserCommand;

const { type: _, ...account } = ada;
const created = (more: object = {}): UserStreamEvent => ({
  type: 'UserCreated',
  data: { ...account, identities: [], ...more },
});
/** An event of a user who is made already. */
const after = (type: string, data: object = {}) =>
  ({ type, data: { userId: 2, ...data } }) as UserStreamEvent;
const updated = (changes: object, previous: object, withheldChanges: readonly string[] = []) =>
  after('UserUpdated', { changes, previous, withheldChanges });

const update = (changes: Extract<UserCommand, { type: 'UpdateUser' }>['changes']): UserCommand => ({
  type: 'UpdateUser',
  userId: 2,
  changes,
});
describe('create', () => {
  test('records the given fields', () => {
    given(decider).when(ada).thenEvents(created());
  });

  test('reports all problems at once', () => {
    given(decider)
      .when({ ...ada, username: 'a/b', name: ' ', email: 'x' })
      .thenRejected('validation_failed', {
        message: {
          email: ['is invalid'],
          name: ["can't be blank"],
          username: [expect.stringContaining('can contain only letters')],
        },
      });
  });

  test('external users create no groups or projects, whatever the request says', () => {
    given(decider)
      .when({ ...ada, external: true, profile: { projects_limit: 9 } })
      .thenEvents(created({ external: true, profile: { can_create_group: false, projects_limit: 0 } }));
  });
});

describe('update', () => {
  test('records only differences', () => {
    const withBio = created({ profile: { bio: 'b' } });
    given(decider, withBio)
      .when(update({ name: 'Ada', profile: { bio: 'b' } }))
      .thenEvents();
    given(decider, withBio)
      .when(update({ name: 'Ada L.', profile: { bio: 'b', skype: 's' } }))
      .thenEvents(
        updated({ name: 'Ada L.', profile: { skype: 's' } }, { name: 'Ada', profile: { skype: '' } }),
      );
  });

  test('tells the old values, of a profile its defaults', () => {
    const withBio = created({ profile: { bio: 'b' } });
    given(decider, withBio)
      .when(update({ name: 'Ada L.', profile: { bio: '', theme_id: 2, can_create_group: true } }))
      .thenEvents(
        updated(
          { name: 'Ada L.', profile: { bio: '', theme_id: 2 } },
          { name: 'Ada', profile: { bio: 'b', theme_id: 1 } },
        ),
      );
    given(decider, withBio)
      .when(update({ profile: { theme_id: 1, projects_limit: 100_000 } }))
      .thenEvents();
  });

  test('a new password always counts as a change, is named and has no old value', () => {
    given(decider, created())
      .when(update({ passwordHash: '$argon2id$x' }))
      .thenEvents(updated({ passwordHash: '$argon2id$x' }, {}, ['password']));
  });

  test('a new address is verified only if the command says so, and an unchanged one keeps its state', () => {
    given(decider, created())
      .when(update({ email: 'n@example.org', confirmed: false }))
      .thenEvents(
        updated({ email: 'n@example.org', confirmed: false }, { email: ada.email, confirmed: true }),
      );
    given(decider, created())
      .when(update({ email: 'n@example.org', confirmed: true }))
      .thenEvents(updated({ email: 'n@example.org' }, { email: ada.email }));
    given(decider, created())
      .when(update({ email: ada.email, confirmed: false }))
      .thenEvents();
  });

  test('public_email is a verified address and is cleared with it', () => {
    const owned = update({ profile: { public_email: 'ADA@example.org' } });
    const notOwned = { message: { public_email: ['is not an email you own'] } };
    given(decider, created())
      .when(update({ profile: { public_email: 'x@example.org' } }))
      .thenRejected('validation_failed', notOwned);
    given(decider, created({ confirmed: false }))
      .when(owned)
      .thenRejected('validation_failed', notOwned);
    const shown = updated(
      { profile: { public_email: 'ADA@example.org' } },
      { profile: { public_email: '' } },
    );
    given(decider, created()).when(owned).thenEvents(shown);
    given(decider, created(), shown)
      .when(update({ email: 'n@example.org' }))
      .thenEvents(
        updated(
          { email: 'n@example.org', profile: { public_email: '' } },
          { email: ada.email, profile: { public_email: 'ADA@example.org' } },
        ),
      );
  });

  test('external removes the limits and restores them', () => {
    const limited = { external: true, profile: { can_create_group: false, projects_limit: 0 } };
    const free = { external: false, profile: { can_create_group: true, projects_limit: 100_000 } };
    given(decider, created())
      .when(update({ external: true }))
      .thenEvents(updated(limited, free));
    given(decider, created(), updated(limited, free))
      .when(update({ external: false, profile: { projects_limit: 5 } }))
      .thenEvents(
        updated({ external: false, profile: { can_create_group: true, projects_limit: 5 } }, limited),
      );
  });

  test('an identity is deleted by its provider, once', () => {
    const identity = (provider: string) => ({ provider, extern_uid: 'a', saml_provider_id: null });
    const identities = [identity('ldap'), identity('saml')];
    const remove = (provider: string) => ({ type: 'DeleteIdentity', userId: 2, provider }) as const;
    given(decider, created({ identities }))
      .when(remove('ldap'))
      .thenEvents(updated({ identities: [identity('saml')] }, { identities }));
    const missing = { message: '404 Identity Not Found' };
    given(decider, created({ identities })).when(remove('oauth')).thenRejected('not_found', missing);
    given(decider, created()).when(remove('ldap')).thenRejected('not_found', missing);
  });

  test('an identity replaces the one of its provider', () => {
    const identity = (provider: string, extern_uid: string) => ({
      provider,
      extern_uid,
      saml_provider_id: null,
    });
    const identities = [identity('ldap', 'a'), identity('saml', 's')];
    given(decider, created({ identities }))
      .when(update({ identity: identity('ldap', 'a') }))
      .thenEvents();
    given(decider, created({ identities }))
      .when(update({ identity: identity('ldap', 'b') }))
      .thenEvents(updated({ identities: [identities[1], identity('ldap', 'b')] }, { identities }));
  });
});

test('a repeated block or unblock records nothing', () => {
  const block: UserCommand = { type: 'BlockUser', userId: 2 };
  const unblock: UserCommand = { type: 'UnblockUser', userId: 2 };
  const [blocked, unblocked] = [after('UserBlocked', USER_BLOCKED), after('UserUnblocked', USER_UNBLOCKED)];
  given(decider, created()).when(unblock).thenEvents();
  given(decider, created()).when(block).thenEvents(blocked);
  given(decider, created(), blocked).when(block).thenEvents();
  given(decider, created(), blocked).when(unblock).thenEvents(unblocked);
});

const done = (type: UserCommand['type'], more: object = {}) => ({ type, userId: 2, ...more }) as UserCommand;
const deactivate = done('DeactivateUser', { recentlyActive: false });
const states = {
  active: [],
  blocked: [after('UserBlocked', USER_BLOCKED)],
  deactivated: [after('UserDeactivated', USER_DEACTIVATED)],
  banned: [after('UserBanned', USER_BANNED)],
};
const [blocked, unblocked] = [after('UserBlocked', USER_BLOCKED), after('UserUnblocked', USER_UNBLOCKED)];
const [deactivated, activated] = [
  after('UserDeactivated', USER_DEACTIVATED),
  after('UserActivated', USER_ACTIVATED),
];
const [banned, unbanned] = [after('UserBanned', USER_BANNED), after('UserUnbanned', USER_UNBANNED)];

test.each([
  ['active', done('ActivateUser'), []],
  ['active', deactivate, [deactivated]],
  ['active', done('BanUser'), [banned]],
  ['active', done('UnbanUser'), 'You cannot unban active users.'],
  ['active', done('ReinstateUser'), []],
  ['blocked', done('ActivateUser'), 'A blocked user must be unblocked to be activated'],
  ['blocked', deactivate, 'A blocked user cannot be deactivated by the API'],
  ['blocked', done('BanUser'), 'You cannot ban blocked users.'],
  ['blocked', done('ReinstateUser'), [unblocked]],
  ['deactivated', done('ActivateUser'), [activated]],
  ['deactivated', deactivate, []],
  ['deactivated', done('BlockUser'), [activated, blocked]],
  ['deactivated', done('UnblockUser'), 'Deactivated users cannot be unblocked by the API'],
  ['deactivated', done('BanUser'), 'You cannot ban deactivated users.'],
  ['deactivated', done('ReinstateUser'), [activated]],
  ['banned', done('ActivateUser'), 'A blocked user must be unblocked to be activated'],
  ['banned', deactivate, 'A blocked user cannot be deactivated by the API'],
  ['banned', done('BlockUser'), []],
  ['banned', done('UnblockUser'), []],
  ['banned', done('UnbanUser'), [unbanned]],
  ['banned', done('ReinstateUser'), [unbanned]],
] as const)('who is %s, after $1.type', (state, command, expected) => {
  const there = given(decider, created(), ...states[state]).when(command);
  if (typeof expected === 'string')
    there.thenRejected('forbidden', { message: `403 Forbidden - ${expected}` });
  else there.thenEvents(...expected);
});

test('who was there lately is not deactivated', () => {
  given(decider, created())
    .when(done('DeactivateUser', { recentlyActive: true }))
    .thenRejected('forbidden', {
      message:
        '403 Forbidden - The user you are trying to deactivate has been active in the past 90 days and cannot be deactivated',
    });
});

test('a deleted user is not found by any command', () => {
  const { namespaceId, username, email } = ada;
  const deleted = after('UserDeleted', { namespaceId, username, email, hardDelete: false });
  given(decider, created()).when({ type: 'DeleteUser', userId: 2, hardDelete: false }).thenEvents(deleted);
  for (const command of [
    update({ name: 'x' }),
    { type: 'BlockUser', userId: 2 },
    { type: 'DeleteUser', userId: 2, hardDelete: true },
  ] as const)
    given(decider, created(), deleted)
      .when(command)
      .thenRejected('not_found', { message: '404 User Not Found' });
});
