import type { SubscriptionEvent } from '@forgelog/contracts/tracker/subscriptions/subscription.events.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';

/** What the row of a target says of those who take part in it, and of those who chose. */
export interface Participation {
  authorId: number;
  assigneeIds: readonly number[];
  reviewerIds?: readonly number[];
  /** Users who wrote a comment. */
  participantIds: readonly number[];
  /** Usernames that its texts have ever mentioned, in lower case. */
  mentionedNames: readonly string[];
  subscriberIds: readonly number[];
  unsubscriberIds: readonly number[];
}

type User = Pick<Principal, 'userId' | 'username'>;

/** Those who take part are told as long as they choose nothing. */
export function takesPart(row: Participation, { userId, username }: User): boolean {
  return (
    row.authorId === userId ||
    row.assigneeIds.includes(userId) ||
    row.reviewerIds?.includes(userId) === true ||
    row.participantIds.includes(userId) ||
    row.mentionedNames.includes(username.toLowerCase())
  );
}

export function isSubscribed(row: Participation, user: User | null): boolean {
  if (user === null || row.unsubscriberIds.includes(user.userId)) return false;
  return row.subscriberIds.includes(user.userId) || takesPart(row, user);
}

/** The row of a target after a choice. */
export function withSubscription<Row extends Pick<Participation, 'subscriberIds' | 'unsubscriberIds'>>(
  row: Row,
  { type, data }: SubscriptionEvent,
): Row {
  const subscribed = type === 'SubscriptionChosen' ? data.subscribed : data.changes.subscribed;
  const subscriberIds = row.subscriberIds.filter((id) => id !== data.userId);
  const unsubscriberIds = row.unsubscriberIds.filter((id) => id !== data.userId);
  (subscribed ? subscriberIds : unsubscriberIds).push(data.userId);
  return { ...row, subscriberIds, unsubscriberIds };
}
