import {
  type PlanLimitsEvent,
  planLimitsEvents,
} from '@forgelog/contracts/admin/plan-limits/plan-limits.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { defineCollection } from '@forgelog/eventing/read-store.ts';

/** Plans whose limits were ever set. */
export const planLimits = defineCollection({
  name: 'plan_limits',
  key: 'plan',
  fields: {
    plan: 'text',
    /** Bytes by name. */
    limits: 'json',
  },
  indexes: [],
});

export const planLimitsProjection = defineProjection<PlanLimitsEvent>({
  name: 'plan-limits',
  collections: [planLimits],
  handles: planLimitsEvents.map(({ type }) => type),
  async project(event, documents) {
    const { plan } = event.data;
    if (event.type === 'PlanLimitsCreated') {
      const { plan: _, ...limits } = event.data;
      return documents.put(planLimits, { plan, limits });
    }
    const row = await documents.get(planLimits, plan);
    if (row)
      documents.put(planLimits, { plan, limits: { ...(row.limits as object), ...event.data.changes } });
  },
});
