import { defineRecords, json, type Part, reference, text, whole } from '../table.ts';

export const notificationSettings: Part = {
  // The last is a message that left: `events` has it, and no column.
  events: { NotificationSettingChosen: 1, NotificationSettingChanged: 1, NotificationMailHandled: 1 },
  records: [
    defineRecords({
      kind: 'NotificationSetting',
      name: 'notification_settings',
      about: 'What users chose to be told of by mail, in the instance, groups and projects.',
      key: ['user_id', 'place'],
      columns: {
        user_id: whole('userId', 'Id of the user whose choice it is.'),
        place: text('place', '`instance`, `group-<id>` or `project-<id>`.'),
        project_id: reference('projectId', 'Id of the project; null elsewhere.'),
        group_id: reference('groupId', 'Id of the group; null elsewhere.'),
        level: text('level', '`disabled`, `participating`, `watch`, `global`, `mention` or `custom`.'),
        events: json('events', 'Events that the level `custom` tells of.'),
      },
    }),
  ],
};
