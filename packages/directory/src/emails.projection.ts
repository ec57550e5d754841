import {
  type UserEmailEvent,
  userEmailEvents,
} from '@forgelog/contracts/admin/user-emails/user-email.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { directoryEmails } from './collections.ts';

export const directoryEmailsProjection = defineProjection<UserEmailEvent>({
  name: 'directory-emails',
  collections: [directoryEmails],
  handles: userEmailEvents.map(({ type }) => type),
  async project(event, documents) {
    const { userEmailId: id, userId } = event.data;
    switch (event.type) {
      case 'UserEmailCreated': {
        const { email, confirmed } = event.data;
        return documents.put(directoryEmails, { id, userId, emailLower: email.toLowerCase(), confirmed });
      }
      case 'UserEmailConfirmed': {
        const row = await documents.get(directoryEmails, id);
        if (row) documents.put(directoryEmails, { ...row, confirmed: true });
        return;
      }
      case 'UserEmailDeleted':
        return documents.delete(directoryEmails, id);
      default:
        event satisfies never;
    }
  },
});
