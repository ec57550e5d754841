import type { UserStreamEvent } from '@forgelog/contracts/admin/users/user.events.ts';

/** An address of a user beside that of the account. */
export interface FurtherEmail {
  userEmailId: number;
  email: string;
  confirmed: boolean;
}

export const isSameEmail = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The further addresses after an event of their user's stream. */
export function furtherEmailsAfter(
  emails: readonly FurtherEmail[],
  event: UserStreamEvent,
): readonly FurtherEmail[] {
  switch (event.type) {
    case 'UserEmailCreated': {
      const { userEmailId, email, confirmed } = event.data;
      return [...emails, { userEmailId, email, confirmed }];
    }
    case 'UserEmailConfirmed':
      return emails.map((one) =>
        one.userEmailId === event.data.userEmailId ? { ...one, confirmed: true } : one,
      );
    case 'UserEmailDeleted':
      return emails.filter(({ userEmailId }) => userEmailId !== event.data.userEmailId);
    case 'UserDeleted':
      return [];
    default:
      return emails;
  }
}
