import type { UserStreamEvent } from '@forgelog/contracts/admin/users/user.events.ts';
import type { Rejection } from '@forgelog/contracts/errors.ts';
import { describe, expect, test } from 'vitest';
import { type UserCommand, type UserState, userDecider } from './user.decider.ts';

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

const stateAfter = (events: readonly UserStreamEvent[]): UserState =>
  events.reduce(userDecider.evolve, userDecider.initialState);

function given(...commands: UserCommand[]) {
  const events: UserStreamEvent[] = [];
  for (const command of commands) events.push(...userDecider.decide(command, stateAfter(events)));
  return {
    decide: (command: UserCommand) => userDecider.decide(command, stateAfter(events)),
    problems(command: UserCommand) {
      try {
        userDecider.decide(command, stateAfter(events));
      } catch (rejection) {
        return (rejection as Rejection).body;
      }
      return null;
    },
  };
}

const update = (changes: Extract<UserCommand, { type: 'UpdateUser' }>['changes']): UserCommand => ({
  type: 'UpdateUser',
  userId: 2,
  changes,
});
const changesOf = (events: readonly UserStreamEvent[]) =>
  events.map((event) => (event.type === 'UserUpdated' ? event.data.changes : event.type));
const previousOf = (events: readonly UserStreamEvent[]) =>
  events.map((event) => (event.type === 'UserUpdated' ? event.data.previous : event.type));

describe('create', () => {
  test('records the given fields', () => {
    const { type: _, ...data } = ada;
    expect(given().decide(ada)).toEqual([{ type: 'UserCreated', data }]);
  });

  test('reports all problems at once', () => {
    const wrong = { ...ada, username: 'a/b', name: ' ', email: 'x' };
    expect(given().problems(wrong)).toEqual({
      message: {
        email: ['is invalid'],
        name: ["can't be blank"],
        username: [expect.stringContaining('can contain only letters')],
      },
    });
  });

  test('external users create no groups or projects, whatever the request says', () => {
    const [created] = given().decide({ ...ada, external: true, profile: { projects_limit: 9 } });
    expect(created).toMatchObject({ data: { profile: { can_create_group: false, projects_limit: 0 } } });
  });
});

describe('update', () => {
  test('records only differences', () => {
    const { decide } = given({ ...ada, profile: { bio: 'b' } });
    expect(decide(update({ name: 'Ada', profile: { bio: 'b' } }))).toEqual([]);
    expect(changesOf(decide(update({ name: 'Ada L.', profile: { bio: 'b', skype: 's' } })))).toEqual([
      { name: 'Ada L.', profile: { skype: 's' } },
    ]);
  });

  test('tells the old values, of a profile its defaults', () => {
    const { decide } = given({ ...ada, profile: { bio: 'b' } });
    const changes = { name: 'Ada L.', profile: { bio: '', theme_id: 2, can_create_group: true } };
    expect(previousOf(decide(update(changes)))).toEqual([
      { name: 'Ada', profile: { bio: 'b', theme_id: 1 } },
    ]);
    expect(decide(update({ profile: { theme_id: 1, projects_limit: 100_000 } }))).toEqual([]);
  });

  test('a new password always counts as a change, is named and has no old value', () => {
    expect(given(ada).decide(update({ passwordHash: '$argon2id$x' }))).toEqual([
      {
        type: 'UserUpdated',
        data: {
          userId: 2,
          changes: { passwordHash: '$argon2id$x' },
          previous: {},
          withheldChanges: ['password'],
        },
      },
    ]);
  });

  test('a new address is verified only if the command says so, and an unchanged one keeps its state', () => {
    const { decide } = given(ada);
    expect(changesOf(decide(update({ email: 'n@example.org', confirmed: false })))).toEqual([
      { email: 'n@example.org', confirmed: false },
    ]);
    expect(changesOf(decide(update({ email: 'n@example.org', confirmed: true })))).toEqual([
      { email: 'n@example.org' },
    ]);
    expect(decide(update({ email: ada.email, confirmed: false }))).toEqual([]);
  });

  test('public_email is a verified address and is cleared with it', () => {
    const owned = update({ profile: { public_email: 'ADA@example.org' } });
    const notOwned = { message: { public_email: ['is not an email you own'] } };
    expect(given(ada).problems(update({ profile: { public_email: 'x@example.org' } }))).toEqual(notOwned);
    expect(given({ ...ada, confirmed: false }).problems(owned)).toEqual(notOwned);
    expect(given(ada).decide(owned)).toHaveLength(1);
    const moved = given(ada, owned).decide(update({ email: 'n@example.org' }));
    expect(changesOf(moved)).toEqual([{ email: 'n@example.org', profile: { public_email: '' } }]);
  });

  test('external removes the limits and restores them', () => {
    const out = update({ external: true });
    expect(changesOf(given(ada).decide(out))).toEqual([
      { external: true, profile: { can_create_group: false, projects_limit: 0 } },
    ]);
    const back = given(ada, out).decide(update({ external: false, profile: { projects_limit: 5 } }));
    expect(changesOf(back)).toEqual([
      { external: false, profile: { can_create_group: true, projects_limit: 5 } },
    ]);
  });

  test('an identity replaces the one of its provider', () => {
    const identity = (provider: string, extern_uid: string) => ({
      provider,
      extern_uid,
      saml_provider_id: null,
    });
    const { decide } = given({ ...ada, identities: [identity('ldap', 'a'), identity('saml', 's')] });
    expect(decide(update({ identity: identity('ldap', 'a') }))).toEqual([]);
    expect(changesOf(decide(update({ identity: identity('ldap', 'b') })))).toEqual([
      { identities: [identity('saml', 's'), identity('ldap', 'b')] },
    ]);
  });
});

test('a repeated block or unblock records nothing', () => {
  const block: UserCommand = { type: 'BlockUser', userId: 2 };
  const unblock: UserCommand = { type: 'UnblockUser', userId: 2 };
  expect(given(ada).decide(unblock)).toEqual([]);
  expect(given(ada).decide(block)).toHaveLength(1);
  expect(given(ada, block).decide(block)).toEqual([]);
  expect(given(ada, block).decide(unblock)).toHaveLength(1);
});

test('a deleted user is not found by any command', () => {
  const { problems } = given(ada, { type: 'DeleteUser', userId: 2, hardDelete: false });
  for (const command of [
    update({ name: 'x' }),
    { type: 'BlockUser', userId: 2 },
    { type: 'DeleteUser', userId: 2, hardDelete: true },
  ] as const)
    expect(problems(command)).toEqual({ message: '404 User Not Found' });
});
