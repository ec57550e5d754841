import {
  type UserStatusEvent,
  userStatusEvents,
} from '@forgelog/contracts/admin/user-statuses/user-status.events.ts';
import { userStatusLifetime } from '@forgelog/contracts/admin/user-statuses/user-status.lifetime.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const userStatuses = defineCollection({
  name: 'user_statuses',
  key: 'userId',
  fields: {
    userId: 'integer',
    emoji: 'text?',
    message: 'text?',
    availability: 'text',
    endsAt: 'text?',
  },
  indexes: [],
  ownedBy: [endsWith(UserDeleted, ({ userId }) => eq('userId', userId))],
  holds: { lifetime: userStatusLifetime },
});

export const userStatusesProjection = defineProjection<UserStatusEvent>({
  name: 'user-statuses',
  collections: [userStatuses],
  handles: userStatusEvents.map(({ type }) => type),
  async project(event, documents) {
    switch (event.type) {
      case 'UserStatusCreated':
        return documents.put(userStatuses, event.data);
      case 'UserStatusUpdated': {
        const row = await documents.get(userStatuses, event.data.userId);
        if (row) documents.put(userStatuses, { ...row, ...event.data.changes });
        return;
      }
      default:
        event satisfies never;
    }
  },
});
