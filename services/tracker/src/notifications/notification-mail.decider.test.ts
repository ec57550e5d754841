import type { NotificationMailEvent } from '@forgelog/contracts/tracker/notification-mails/notification-mail.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { notificationMailDecider } from './notification-mail.decider.ts';

const ended = (toldUpTo: string): NotificationMailEvent => ({
  type: 'NotificationMailHandled',
  data: {
    ...{ userId: 4, thread: 'Issue-70', projectId: 7, groupId: null, outcome: 'sent', eventIds: ['a'] },
    ...{ attempts: 1, toldUpTo },
  },
});
const end = (toldUpTo: string) => ({ type: 'EndNotificationMail' as const, ...ended(toldUpTo).data });

test('nobody is on record as told of the same twice', () => {
  given(notificationMailDecider).when(end('2')).thenEvents(ended('2'));
  given(notificationMailDecider, ended('2')).when(end('2')).thenEvents();
  given(notificationMailDecider, ended('2')).when(end('1')).thenEvents();
  given(notificationMailDecider, ended('2')).when(end('3')).thenEvents(ended('3'));
});
