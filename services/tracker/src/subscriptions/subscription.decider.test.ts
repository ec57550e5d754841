import type { SubscriptionEvent } from '@forgelog/contracts/tracker/subscriptions/subscription.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type ChooseSubscription, subscriptionDecider } from './subscription.decider.ts';

const names = { userId: 4, projectId: 7, targetType: 'Issue' as const, targetId: 70, targetIid: 3 };
const choose = (subscribed: boolean, takesPart = false): ChooseSubscription => ({
  ...{ userId: 4, subscribed, takesPart },
  on: { projectId: 7, type: 'Issue', id: 70, iid: 3 },
});
const chosen = (subscribed: boolean): SubscriptionEvent => ({
  type: 'SubscriptionChosen',
  data: { ...names, subscribed },
});
const changed = (subscribed: boolean): SubscriptionEvent => ({
  type: 'SubscriptionChanged',
  data: { ...names, changes: { subscribed }, previous: { subscribed: !subscribed } },
});

test('a choice that changes nothing is none', () => {
  given(subscriptionDecider).when(choose(false)).thenEvents();
  given(subscriptionDecider).when(choose(true, true)).thenEvents();
  given(subscriptionDecider, chosen(true)).when(choose(true)).thenEvents();
});

test('the first choice begins what later ones change, whether the user takes part or not', () => {
  given(subscriptionDecider).when(choose(true)).thenEvents(chosen(true));
  given(subscriptionDecider).when(choose(false, true)).thenEvents(chosen(false));
  given(subscriptionDecider, chosen(true)).when(choose(false)).thenEvents(changed(false));
  given(subscriptionDecider, chosen(true), changed(false)).when(choose(true, true)).thenEvents(changed(true));
});
