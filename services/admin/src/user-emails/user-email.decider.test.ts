import type { UserStreamEvent } from '@forgelog/contracts/admin/users/user.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { userDecider } from '../users/user.decider.ts';
import { userEmailDecider } from './user-email.decider.ts';

const user = userCreated(7).event as UserStreamEvent;
const ids = { userEmailId: 3, userId: 7 };
const data = { ...ids, email: 'Ada@Engines.example', confirmed: false };
const create = { type: 'CreateUserEmail', ...data } as const;
const created: UserStreamEvent = { type: 'UserEmailCreated', data };
const confirmed: UserStreamEvent = {
  type: 'UserEmailConfirmed',
  data: { ...ids, changes: { confirmed: true }, previous: { confirmed: false } },
};
const deleted: UserStreamEvent = { type: 'UserEmailDeleted', data: ids };
const refused = (text: string) => ({ message: { email: [expect.stringContaining(text)] } });

test('a user has an address once, that of the account included', () => {
  given(userEmailDecider, user).when(create).thenEvents(created);
  for (const email of ['ada@engines.EXAMPLE', 'user7@example.org'])
    given(userEmailDecider, user, created)
      .when({ ...create, userEmailId: 4, email })
      .thenRejected('validation_failed', refused('has already been taken'));
  given(userEmailDecider, user, created, deleted).when(create).thenEvents(created);
});

test('an administrator who vouches for an address that waits confirms it', () => {
  const vouched = { ...create, confirmed: true };
  given(userEmailDecider, user, created).when(vouched).thenEvents(confirmed);
  given(userEmailDecider, user, created, confirmed).when(vouched).thenRejected('validation_failed');
});

test('what is no address, one too many and a user who is none are refused', () => {
  for (const [email, text] of [
    [' ', "can't be blank"],
    ['ada', 'is invalid'],
    [`${'a'.repeat(250)}@b.example`, 'is invalid'],
  ] as const)
    given(userEmailDecider, user)
      .when({ ...create, email })
      .thenRejected('validation_failed', refused(text));
  const many = Array.from(
    { length: 100 },
    (_, at): UserStreamEvent => ({
      type: 'UserEmailCreated',
      data: { ...data, userEmailId: at, email: `${at}@b.example` },
    }),
  );
  given(userEmailDecider, user, ...many)
    .when(create)
    .thenRejected('validation_failed', refused('100 at most'));
  given(userEmailDecider).when(create).thenRejected('not_found');
});

test('an address is confirmed once, and gone with its deletion', () => {
  const confirm = { type: 'ConfirmUserEmail', ...ids } as const;
  const remove = { type: 'DeleteUserEmail', ...ids } as const;
  given(userEmailDecider, user, created).when(confirm).thenEvents(confirmed);
  given(userEmailDecider, user, created, confirmed).when(confirm).thenEvents();
  given(userEmailDecider, user, created).when(remove).thenEvents(deleted);
  for (const command of [confirm, remove])
    given(userEmailDecider, user, created, deleted).when(command).thenRejected('not_found');
});

const shown: UserStreamEvent = {
  type: 'UserUpdated',
  data: {
    userId: 7,
    changes: { profile: { public_email: 'ada@engines.example' } },
    previous: { profile: { public_email: '' } },
    withheldChanges: [],
  },
};

test('an address is shown once it is confirmed, and no longer once it is deleted', () => {
  const show = {
    type: 'UpdateUser',
    userId: 7,
    changes: { profile: { public_email: 'ada@engines.example' } },
  } as const;
  given(userDecider, user, created).when(show).thenRejected('validation_failed');
  given(userDecider, user, created, confirmed).when(show).thenEvents(shown);
  given(userEmailDecider, user, created, confirmed, shown)
    .when({ type: 'DeleteUserEmail', ...ids })
    .thenEvents(deleted, {
      type: 'UserUpdated',
      data: {
        userId: 7,
        changes: { profile: { public_email: '' } },
        previous: { profile: { public_email: 'ada@engines.example' } },
        withheldChanges: [],
      },
    });
});

test('an address becomes that of the account, confirmed as it is', () => {
  const change = { type: 'UpdateUser', userId: 7, changes: { email: 'ada@engines.example' } } as const;
  const previous = { email: 'user7@example.org' };
  const to = { email: 'ada@engines.example' };
  given(userDecider, user, created, confirmed)
    .when(change)
    .thenEvents(
      { type: 'UserUpdated', data: { userId: 7, changes: to, previous, withheldChanges: [] } },
      deleted,
    );
  given(userDecider, user, created)
    .when({ ...change, changes: { ...change.changes, confirmed: false } })
    .thenEvents(
      {
        type: 'UserUpdated',
        data: {
          ...{ userId: 7, withheldChanges: [] },
          changes: { ...to, confirmed: false },
          previous: { ...previous, confirmed: true },
        },
      },
      deleted,
    );
});
