import {
  EMAIL_CONFIRMED,
  type UserEmailEvent,
} from '@forgelog/contracts/admin/user-emails/user-email.events.ts';
import type { UserStreamEvent } from '@forgelog/contracts/admin/users/user.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { type FurtherEmail, furtherEmailsAfter, isSameEmail } from '../users/further-emails.ts';
import { emailProblems } from '../users/user.rules.ts';

/** The part of a user that their addresses need; `email` is that of the account. */
export interface UserEmailState {
  status: 'absent' | 'present' | 'deleted';
  email: string;
  publicEmail: string;
  further: readonly FurtherEmail[];
}

export type UserEmailCommand =
  /** `confirmed`: whether an administrator vouches for it. */
  | { type: 'CreateUserEmail'; userId: number; userEmailId: number; email: string; confirmed: boolean }
  | { type: 'ConfirmUserEmail'; userId: number; userEmailId: number }
  | { type: 'DeleteUserEmail'; userId: number; userEmailId: number };

/** More are a list that someone fills. */
const MOST_EMAILS = 100;

/** The addresses of a user beside that of the account, in the user's own stream. */
export const userEmailDecider: Decider<UserEmailState, UserEmailCommand, UserStreamEvent> = {
  initialState: { status: 'absent', email: '', publicEmail: '', further: [] },

  decide(command, state) {
    const { userId } = command;
    if (state.status !== 'present') throw new Rejection('not_found', { what: 'User' });
    if (command.type === 'CreateUserEmail') return created(command, state);
    const { userEmailId } = command;
    const one = state.further.find((email) => email.userEmailId === userEmailId);
    if (!one) throw new Rejection('not_found', { what: 'Email' });
    if (command.type === 'ConfirmUserEmail') return one.confirmed ? [] : [confirmed({ userEmailId, userId })];
    // What nobody can be reached at is not shown any longer.
    const hidden: UserStreamEvent[] = isSameEmail(one.email, state.publicEmail)
      ? [
          {
            type: 'UserUpdated',
            data: {
              userId,
              changes: { profile: { public_email: '' } },
              previous: { profile: { public_email: state.publicEmail } },
              withheldChanges: [],
            },
          },
        ]
      : [];
    return [{ type: 'UserEmailDeleted', data: { userEmailId, userId } }, ...hidden];
  },

  evolve(state, event) {
    const further = furtherEmailsAfter(state.further, event);
    switch (event.type) {
      case 'UserCreated': {
        const { email, profile } = event.data;
        return { ...state, status: 'present', email, publicEmail: profile.public_email ?? '' };
      }
      case 'UserUpdated': {
        const { email = state.email, profile } = event.data.changes;
        return { ...state, email, publicEmail: profile?.public_email ?? state.publicEmail };
      }
      case 'UserDeleted':
        return { ...state, status: 'deleted', further };
      default:
        return { ...state, further };
    }
  },
};

const confirmed = (email: { userEmailId: number; userId: number }): UserEmailEvent => ({
  type: 'UserEmailConfirmed',
  data: { ...email, ...EMAIL_CONFIRMED },
});

function created(
  { type: _, ...data }: Extract<UserEmailCommand, { type: 'CreateUserEmail' }>,
  { email, further }: UserEmailState,
): UserEmailEvent[] {
  const present = further.find((one) => isSameEmail(one.email, data.email));
  if (present && !present.confirmed && data.confirmed)
    return [confirmed({ userEmailId: present.userEmailId, userId: data.userId })];
  const problems = emailProblems(data.email);
  if (present || isSameEmail(email, data.email)) problems.push('has already been taken');
  if (further.length >= MOST_EMAILS) problems.push(`is one too many: a user has ${MOST_EMAILS} at most`);
  if (problems.length > 0) throw new Rejection('validation_failed', { fields: { email: problems } });
  return [{ type: 'UserEmailCreated', data }];
}
