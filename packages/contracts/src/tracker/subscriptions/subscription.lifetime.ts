import { UserDeleted } from '../../admin/users/user.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { endsWithTarget } from '../targets/target-ends.ts';
import { SubscriptionChanged, SubscriptionChosen } from './subscription.events.ts';

/** A user who ends a subscription has chosen, too: the record stays. */
export const subscriptionLifetime = defineLifetime({
  kind: 'Subscription',
  id: ['userId', 'targetType', 'targetId'],
  begins: [begins(SubscriptionChosen)],
  changes: changedBy(SubscriptionChanged),
  ends: [...endsWithTarget, endsWith(UserDeleted, ['userId'])],
});
