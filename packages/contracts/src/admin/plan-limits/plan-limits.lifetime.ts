import { begins, changedBy, defineLifetime } from '../../lifetime.ts';
import { PlanLimitsCreated, PlanLimitsUpdated } from './plan-limits.events.ts';

export const planLimitsLifetime = defineLifetime({
  kind: 'PlanLimits',
  id: ['plan'],
  begins: [begins(PlanLimitsCreated)],
  changes: changedBy(PlanLimitsUpdated),
  ends: [],
});
