import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { changed } from '../../shared/changes.ts';
import { CUSTOM_EVENTS, NOTIFICATION_LEVELS } from './notification-levels.ts';
import examples from './notification-setting.events.examples.json' with { type: 'json' };

const subject = 'notificationSetting-<userId>-<place>';
const ids = {
  userId: z.int().describe('Id of the user whose choice it is.'),
  place: z.string().describe('Where it holds: `instance`, `group-<id>` or `project-<id>`.'),
  projectId: z.int().nullable().describe('Id of the project; null elsewhere.'),
  groupId: z.int().nullable().describe('Id of the group; null elsewhere.'),
};
const choice = {
  level: z.enum(NOTIFICATION_LEVELS).describe('What the user is told of; `global` asks the place above.'),
  events: z
    .array(z.enum(CUSTOM_EVENTS))
    .describe('Events that the level `custom` tells of, besides what the user takes part in.'),
};

export const NotificationSettingChosen = defineEvent({
  type: 'NotificationSettingChosen',
  version: 1,
  description: 'A user chose for the first time what they are told of by mail in a place.',
  subject,
  example: examples.NotificationSettingChosen,
  service: 'tracker',
  audit: 'own',
  activity: 'own',
  schema: z.object({ ...ids, ...choice }),
});

export const NotificationSettingChanged = defineEvent({
  type: 'NotificationSettingChanged',
  version: 1,
  description: 'A user chose anew what they are told of by mail in a place.',
  subject,
  example: examples.NotificationSettingChanged,
  service: 'tracker',
  audit: 'own',
  activity: 'own',
  schema: z.object({ ...ids, ...changed(choice) }),
});

export const notificationSettingEvents = [NotificationSettingChosen, NotificationSettingChanged] as const;
export type NotificationSettingEvent = EventOf<(typeof notificationSettingEvents)[number]>;
