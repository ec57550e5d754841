import type { SubscriptionEvent } from '@forgelog/contracts/tracker/subscriptions/subscription.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import type { TargetRef } from '../targets/target-ref.ts';

/** What one user chose about one target; null before the first choice. */
export type SubscriptionState = boolean | null;

export interface ChooseSubscription {
  userId: number;
  on: TargetRef;
  subscribed: boolean;
  /** Whether the user is told as long as they choose nothing. */
  takesPart: boolean;
}

export const subscriptionStream = (userId: number, { type, id }: Pick<TargetRef, 'type' | 'id'>) =>
  `subscription-${userId}-${type}-${id}`;

export const subscriptionDecider: Decider<SubscriptionState, ChooseSubscription, SubscriptionEvent> = {
  initialState: null,

  decide({ userId, on, subscribed, takesPart }, chosen) {
    if (subscribed === (chosen ?? takesPart)) return [];
    const { projectId, type: targetType, id: targetId, iid: targetIid } = on;
    const names = { userId, projectId, targetType, targetId, targetIid };
    if (chosen === null) return [{ type: 'SubscriptionChosen', data: { ...names, subscribed } }];
    const change = { changes: { subscribed }, previous: { subscribed: chosen } };
    return [{ type: 'SubscriptionChanged', data: { ...names, ...change } }];
  },

  evolve(state, event) {
    switch (event.type) {
      case 'SubscriptionChosen':
        return event.data.subscribed;
      case 'SubscriptionChanged':
        return event.data.changes.subscribed ?? state;
      default:
        return event satisfies never;
    }
  },
};
