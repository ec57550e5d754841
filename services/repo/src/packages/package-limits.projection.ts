import {
  PLAN_LIMIT_DEFAULTS,
  type PlanLimitName,
} from '@forgelog/contracts/admin/plan-limits/plan-limit-values.ts';
import {
  type PlanLimitsEvent,
  planLimitsEvents,
} from '@forgelog/contracts/admin/plan-limits/plan-limits.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { defineCollection, type ReadStore } from '@forgelog/eventing/read-store.ts';

/** Limits of plans as this service acts on them. */
export const packageLimits = defineCollection({
  name: 'package_limits',
  key: 'plan',
  fields: {
    plan: 'text',
    /** Bytes by name. */
    limits: 'json',
  },
  indexes: [],
});

export const packageLimitsProjection = defineProjection<PlanLimitsEvent>({
  name: 'package-limits',
  collections: [packageLimits],
  handles: planLimitsEvents.map(({ type }) => type),
  async project(event, documents) {
    const { plan } = event.data;
    const row = await documents.get(packageLimits, plan);
    const present = (row?.limits ?? PLAN_LIMIT_DEFAULTS) as object;
    const changes = event.type === 'PlanLimitsCreated' ? event.data : event.data.changes;
    const limits = Object.fromEntries(
      Object.entries({ ...present, ...changes }).filter(([name]) => name in PLAN_LIMIT_DEFAULTS),
    );
    documents.put(packageLimits, { plan, limits });
  },
});

/** Most bytes of a file; a limit of 0 stands for none. */
export async function mostBytes(readStore: Pick<ReadStore, 'get'>, name: PlanLimitName): Promise<number> {
  const row = await readStore.get(packageLimits, 'default');
  const limits = (row?.limits ?? PLAN_LIMIT_DEFAULTS) as Record<PlanLimitName, number>;
  return limits[name] || Number.MAX_SAFE_INTEGER;
}
