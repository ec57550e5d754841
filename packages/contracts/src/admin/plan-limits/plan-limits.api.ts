import { z } from 'zod';
import { administrator, atLeastOne, defineEndpoint } from '../../endpoint.ts';
import { described, fallback, int, oneOf, required } from '../../params.ts';
import { defineView } from '../../views.ts';
import { PLAN_LIMIT_NAMES, PLANS, type PlanLimitName } from './plan-limit-values.ts';
import examples from './plan-limits.examples.json' with { type: 'json' };

const each = <T>(value: (name: PlanLimitName) => T) =>
  Object.fromEntries(PLAN_LIMIT_NAMES.map((name) => [name, value(name)])) as Record<PlanLimitName, T>;

/** Plan limits in bytes [L375]. */
export const planLimitsView = defineView(
  'PlanLimits',
  each(() => z.int()),
  examples.PlanLimits,
);

const kind = (name: PlanLimitName) => name.replace(/_(packages_)?max_file_size$/, '').replaceAll('_', ' ');
const one = { service: 'admin', access: administrator, path: '/application/plan_limits' } as const;
const plan = oneOf(...PLANS);

export const getPlanLimits = defineEndpoint({
  ...one,
  id: 'plan-limits-get',
  method: 'GET',
  summary: 'How large files of packages may be',
  spec: 'api-v4 L375',
  params: { plan_name: described(fallback(plan, 'default'), 'Name of the plan') },
  response: planLimitsView,
});

export const updatePlanLimits = defineEndpoint({
  ...one,
  id: 'plan-limits-update',
  method: 'PUT',
  summary: 'Change how large files of packages may be',
  spec: 'api-v4 L376',
  params: {
    plan_name: described(required(plan), 'Name of the plan', { examples: ['default'] }),
    ...each((name) =>
      described(int({ min: 0 }), `Most bytes of a file of a ${kind(name)} package; 0 for any number`),
    ),
  },
  rules: [atLeastOne(...PLAN_LIMIT_NAMES)],
  response: planLimitsView,
});

export const planLimitsEndpoints = [getPlanLimits, updatePlanLimits];
