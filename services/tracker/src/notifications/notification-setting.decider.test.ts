import type { NotificationSettingEvent } from '@forgelog/contracts/tracker/notification-settings/notification-setting.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type ChooseNotifications, notificationSettingDecider } from './notification-setting.decider.ts';

const names = { userId: 4, place: 'project-7', projectId: 7, groupId: null };
const events: ['failed_pipeline', 'fixed_pipeline'] = ['failed_pipeline', 'fixed_pipeline'];
const choose = (more: Partial<ChooseNotifications>): ChooseNotifications => ({
  ...{ userId: 4, at: { projectId: 7, groupId: null }, flags: {} },
  ...more,
});
const chosen: NotificationSettingEvent = {
  type: 'NotificationSettingChosen',
  data: { ...names, level: 'custom', events: [...events] },
};

test('the first choice begins what later ones change, and one that changes nothing is none', () => {
  given(notificationSettingDecider)
    .when(choose({ level: 'global' }))
    .thenEvents();
  given(notificationSettingDecider)
    .when(choose({ level: 'custom' }))
    .thenEvents(chosen);
  given(notificationSettingDecider, chosen)
    .when(choose({ level: 'custom' }))
    .thenEvents();
  given(notificationSettingDecider, chosen)
    .when(choose({ flags: { new_note: true } }))
    .thenEvents({
      type: 'NotificationSettingChanged',
      data: {
        ...names,
        changes: { events: ['new_note', ...events] },
        previous: { events: [...events] },
      },
    });
});

test('what would be stored and do nothing is refused by name', () => {
  const isOff = ['acts at the level custom alone'];
  given(notificationSettingDecider, chosen)
    .when(choose({ level: 'watch', flags: { new_note: true, issue_due: true } }))
    .thenRejected('validation_failed', {
      message: { new_note: isOff, issue_due: ['is not supported here, and stays false'] },
    });
  given(notificationSettingDecider)
    .when(choose({ at: { projectId: null, groupId: null }, level: 'global' }))
    .thenRejected('validation_failed', { message: { level: ['cannot be global here: nothing is above'] } });
  given(notificationSettingDecider, chosen)
    .when(choose({ flags: { issue_due: false } }))
    .thenEvents();
});
