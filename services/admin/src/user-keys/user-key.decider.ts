import type { UserKeyCreated, UserKeyEvent } from '@forgelog/contracts/admin/user-keys/user-key.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

type Created = EventOf<typeof UserKeyCreated>['data'];

export type UserKeyState =
  | { status: 'absent' }
  | { status: 'present'; userKeyId: number; userId: number; kind: Created['kind'] };

export type UserKeyCommand =
  | (Created & {
      type: 'CreateUserKey';
      /** ISO 8601 in UTC. */
      now: string;
      /** A deleted user who still holds the key; null for none. */
      formerUserId: number | null;
    })
  | { type: 'DeleteUserKey'; userKeyId: number; fingerprint: string };

/** A key is one stream, so that it belongs to one user at a time. */
export const userKeyStream = (fingerprint: string) => `userKey-${fingerprint}`;

export const userKeyDecider: Decider<UserKeyState, UserKeyCommand, UserKeyEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    switch (command.type) {
      case 'CreateUserKey': {
        const { type: _, now, formerUserId, ...key } = command;
        const fields: Record<string, string[]> = {};
        if (key.title?.trim() === '') fields.title = ["can't be blank"];
        if (key.expiresAt !== null && key.expiresAt <= now) fields.key = ['has expired'];
        if (state.status === 'present' && state.userId !== formerUserId)
          fields.fingerprint = ['has already been taken'];
        if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
        return [{ type: 'UserKeyCreated', data: key }];
      }
      case 'DeleteUserKey': {
        const { userKeyId, fingerprint } = command;
        if (state.status === 'absent' || state.userKeyId !== userKeyId) return [];
        const { userId, kind } = state;
        return [{ type: 'UserKeyDeleted', data: { userKeyId, userId, kind, fingerprint } }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(_, event) {
    switch (event.type) {
      case 'UserKeyCreated': {
        const { userKeyId, userId, kind } = event.data;
        return { status: 'present', userKeyId, userId, kind };
      }
      case 'UserKeyDeleted':
        return { status: 'absent' };
      default:
        return event satisfies never;
    }
  },
};
