import type {
  AVAILABILITIES,
  UserStatusEvent,
} from '@forgelog/contracts/admin/user-statuses/user-status.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

export interface UserStatus {
  emoji: string | null;
  message: string | null;
  availability: (typeof AVAILABILITIES)[number];
  endsAt: string | null;
}

/** What users say who say nothing. */
export const NO_STATUS: UserStatus = { emoji: null, message: null, availability: 'not_set', endsAt: null };

/** Null before the first. */
export type UserStatusState = UserStatus | null;
export type UserStatusCommand = { type: 'SetUserStatus'; userId: number } & UserStatus;

export const userStatusStream = (userId: number) => `userStatus-${userId}`;

const EMOJI = /^[a-z0-9_+-]{1,64}$/;

export const userStatusDecider: Decider<UserStatusState, UserStatusCommand, UserStatusEvent> = {
  initialState: null,

  decide({ type: _, userId, ...wanted }, state) {
    if (wanted.emoji !== null && !EMOJI.test(wanted.emoji))
      throw new Rejection('validation_failed', { fields: { emoji: ['is not included in the list'] } });
    const change = changesFrom<UserStatus>(state ?? NO_STATUS, wanted);
    if (change === null) return [];
    if (state === null) return [{ type: 'UserStatusCreated', data: { userId, ...wanted } }];
    return [{ type: 'UserStatusUpdated', data: { userId, ...change } }];
  },

  evolve(state, event) {
    switch (event.type) {
      case 'UserStatusCreated': {
        const { userId: _, ...status } = event.data;
        return status;
      }
      case 'UserStatusUpdated':
        return { ...NO_STATUS, ...state, ...event.data.changes };
      default:
        return event satisfies never;
    }
  },
};
