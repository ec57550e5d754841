import { PLAN_LIMIT_DEFAULTS } from '@forgelog/contracts/admin/plan-limits/plan-limit-values.ts';
import type { PlanLimitsEvent } from '@forgelog/contracts/admin/plan-limits/plan-limits.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { planLimitsDecider } from './plan-limits.decider.ts';

const change = (changes: object) => ({ type: 'ChangePlanLimits', plan: 'default', changes }) as const;
const created: PlanLimitsEvent = {
  type: 'PlanLimitsCreated',
  data: { plan: 'default', ...PLAN_LIMIT_DEFAULTS, npm_max_file_size: 5 },
};

test('limits are told whole at first, and then as what changes', () => {
  given(planLimitsDecider)
    .when(change({ npm_max_file_size: 5 }))
    .thenEvents(created);
  given(planLimitsDecider, created)
    .when(change({ npm_max_file_size: 5 }))
    .thenEvents();
  given(planLimitsDecider, created)
    .when(change({ npm_max_file_size: 6, pypi_max_file_size: undefined }))
    .thenEvents({
      type: 'PlanLimitsUpdated',
      data: { plan: 'default', changes: { npm_max_file_size: 6 }, previous: { npm_max_file_size: 5 } },
    });
});
