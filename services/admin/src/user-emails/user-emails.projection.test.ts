import type { UserEmailEvent } from '@forgelog/contracts/admin/user-emails/user-email.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { test } from 'vitest';
import { userEmails, userEmailsProjection } from './user-emails.projection.ts';

const created = (userEmailId: number, userId = 2): UserEmailEvent => ({
  type: 'UserEmailCreated',
  data: { userEmailId, userId, email: `Ada${userEmailId}@example.org`, confirmed: false },
});
const confirmed = (userEmailId: number, userId = 2): UserEmailEvent => ({
  type: 'UserEmailConfirmed',
  data: { userEmailId, userId, changes: { confirmed: true }, previous: { confirmed: false } },
});

test('an address ends by itself and with its user', async () => {
  const gone: UserEmailEvent = { type: 'UserEmailDeleted', data: { userEmailId: 1, userId: 2 } };
  await givenEvents(
    userEmailsProjection,
    ...[created(1), created(2), created(3, 9), confirmed(3, 9), created(4, 9), gone],
    {
      type: 'UserDeleted',
      data: { userId: 2, namespaceId: 2, username: 'ada', email: 'ada@example.org', hardDelete: false },
    },
  ).thenDocuments(userEmails, [
    { id: 3, email: 'Ada3@example.org', emailLower: 'ada3@example.org' },
    { id: 4, confirmedAt: null },
  ]);
});
