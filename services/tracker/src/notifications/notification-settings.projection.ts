import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  type NotificationSettingEvent,
  notificationSettingEvents,
} from '@forgelog/contracts/tracker/notification-settings/notification-setting.events.ts';
import { notificationSettingLifetime } from '@forgelog/contracts/tracker/notification-settings/notification-setting.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const notificationSettings = defineCollection({
  name: 'notification_settings',
  key: 'key',
  fields: {
    /** `notificationSettingKey` */
    key: 'text',
    userId: 'integer',
    place: 'text',
    projectId: 'integer?',
    groupId: 'integer?',
    level: 'text',
    events: 'text[]',
  },
  indexes: [['userId'], ['place', 'level'], ['projectId'], ['groupId']],
  holds: { lifetime: notificationSettingLifetime },
  ownedBy: [
    endsWith(UserDeleted, ({ userId }) => eq('userId', userId)),
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export const notificationSettingKey = (userId: number, place: string): string => `${userId}-${place}`;

export const notificationSettingsProjection = defineProjection<NotificationSettingEvent>({
  name: 'notification-settings',
  collections: [notificationSettings],
  handles: notificationSettingEvents.map(({ type }) => type),
  async project(event, documents) {
    const key = notificationSettingKey(event.data.userId, event.data.place);
    switch (event.type) {
      case 'NotificationSettingChosen':
        return documents.put(notificationSettings, { key, ...event.data });
      case 'NotificationSettingChanged': {
        const row = await documents.get(notificationSettings, key);
        if (row) documents.put(notificationSettings, { ...row, ...event.data.changes });
        return;
      }
      default:
        event satisfies never;
    }
  },
});
