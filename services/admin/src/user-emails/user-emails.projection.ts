import {
  type UserEmailEvent,
  userEmailEvents,
} from '@forgelog/contracts/admin/user-emails/user-email.events.ts';
import { userEmailLifetime } from '@forgelog/contracts/admin/user-emails/user-email.lifetime.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const userEmails = defineCollection({
  name: 'user_emails',
  key: 'id',
  fields: { id: 'integer', userId: 'integer', email: 'text', emailLower: 'text', confirmedAt: 'text?' },
  indexes: [['userId'], ['emailLower']],
  holds: { lifetime: userEmailLifetime },
  ownedBy: [endsWith(UserDeleted, ({ userId }) => eq('userId', userId))],
});

export type UserEmailRow = DocumentOf<typeof userEmails>;

export const userEmailsProjection = defineProjection<UserEmailEvent>({
  name: 'user-emails',
  collections: [userEmails],
  handles: userEmailEvents.map(({ type }) => type),
  async project(event, documents) {
    const { userEmailId: id, userId } = event.data;
    switch (event.type) {
      case 'UserEmailCreated': {
        const { email, confirmed } = event.data;
        const confirmedAt = confirmed ? event.time : null;
        return documents.put(userEmails, { id, userId, email, emailLower: email.toLowerCase(), confirmedAt });
      }
      case 'UserEmailConfirmed': {
        const row = await documents.get(userEmails, id);
        if (row) documents.put(userEmails, { ...row, confirmedAt: event.time });
        return;
      }
      case 'UserEmailDeleted':
        return documents.delete(userEmails, id);
      default:
        event satisfies never;
    }
  },
});
