import {
  PLAN_LIMIT_DEFAULTS,
  type PlanLimitName,
} from '@forgelog/contracts/admin/plan-limits/plan-limit-values.ts';
import type { PlanLimitsEvent } from '@forgelog/contracts/admin/plan-limits/plan-limits.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

export type PlanLimits = Record<PlanLimitName, number>;

export interface PlanLimitsCommand {
  type: 'ChangePlanLimits';
  plan: 'default';
  /** Undefined keeps the current value. */
  changes: { [Name in PlanLimitName]?: number | undefined };
}

export const planLimitsStream = (plan: string) => `planLimits-${plan}`;

/** The state is null until limits are set for the first time. */
export const planLimitsDecider: Decider<PlanLimits | null, PlanLimitsCommand, PlanLimitsEvent> = {
  initialState: null,

  decide({ plan, changes }, state) {
    const change = changesFrom<PlanLimits>(state ?? PLAN_LIMIT_DEFAULTS, changes);
    if (change === null) return [];
    if (state !== null) return [{ type: 'PlanLimitsUpdated', data: { plan, ...change } }];
    return [{ type: 'PlanLimitsCreated', data: { plan, ...PLAN_LIMIT_DEFAULTS, ...change.changes } }];
  },

  evolve(state, event) {
    switch (event.type) {
      case 'PlanLimitsCreated': {
        const { plan: _, ...limits } = event.data;
        return limits;
      }
      case 'PlanLimitsUpdated':
        return state && { ...state, ...event.data.changes };
      default:
        return event satisfies never;
    }
  },
};
