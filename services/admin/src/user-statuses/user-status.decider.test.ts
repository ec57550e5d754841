import type { UserStatusEvent } from '@forgelog/contracts/admin/user-statuses/user-status.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import {
  userStatusDecider as decider,
  NO_STATUS,
  type UserStatus,
  type UserStatusCommand,
} from './user-status.decider.ts';

const lunch: UserStatus = { emoji: 'coffee', message: 'Out for lunch', availability: 'busy', endsAt: null };
const set = (status: UserStatus): UserStatusCommand => ({ type: 'SetUserStatus', userId: 2, ...status });
const first: UserStatusEvent = { type: 'UserStatusCreated', data: { userId: 2, ...lunch } };

test('a status is set, changes, is cleared, and the same one again records nothing', () => {
  given(decider).when(set(lunch)).thenEvents(first);
  given(decider, first).when(set(lunch)).thenEvents();
  given(decider, first)
    .when(set({ ...lunch, message: null }))
    .thenEvents({
      type: 'UserStatusUpdated',
      data: { userId: 2, changes: { message: null }, previous: { message: 'Out for lunch' } },
    });
  given(decider, first)
    .when(set(NO_STATUS))
    .thenEvents({
      type: 'UserStatusUpdated',
      data: {
        userId: 2,
        changes: { emoji: null, message: null, availability: 'not_set' },
        previous: { emoji: 'coffee', message: 'Out for lunch', availability: 'busy' },
      },
    });
});

test('nothing that was never said is not cleared', () => {
  given(decider).when(set(NO_STATUS)).thenEvents();
});

test('an emoji has the form of a name', () => {
  given(decider)
    .when(set({ ...lunch, emoji: '<b>' }))
    .thenRejected('validation_failed', { message: { emoji: ['is not included in the list'] } });
});
