import type { NotificationMailEvent } from '@forgelog/contracts/tracker/notification-mails/notification-mail.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

/** Up to where a user has been told of a thread; empty before the first mail. */
export type NotificationMailState = string;

export type EndNotificationMail = { type: 'EndNotificationMail' } & NotificationMailEvent['data'];

export const notificationMailStream = (userId: number, thread: string) =>
  `notificationMail-${userId}-${thread}`;

export const notificationMailDecider: Decider<
  NotificationMailState,
  EndNotificationMail,
  NotificationMailEvent
> = {
  initialState: '',

  decide({ type: _, ...data }, toldUpTo) {
    return data.toldUpTo <= toldUpTo ? [] : [{ type: 'NotificationMailHandled', data }];
  },

  evolve: (_, { data }) => data.toldUpTo,
};
