import { PLAN_LIMIT_DEFAULTS } from '@forgelog/contracts/admin/plan-limits/plan-limit-values.ts';
import { getPlanLimits, updatePlanLimits } from '@forgelog/contracts/admin/plan-limits/plan-limits.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { planLimitsDecider, planLimitsStream } from './plan-limits.decider.ts';
import { planLimits } from './plan-limits.projection.ts';

export function planLimitsRoutes({ commands, readStore }: ServicePorts): Implementation[] {
  const answerOf = async (plan: string) =>
    value((await readStore.get(planLimits, plan))?.limits ?? PLAN_LIMIT_DEFAULTS);

  return [
    implement(getPlanLimits, ({ params }) => answerOf(params.plan_name)),

    implement(updatePlanLimits, async ({ params, metadata }) => {
      const { plan_name: plan, ...changes } = params;
      const command = { type: 'ChangePlanLimits', plan, changes } as const;
      await commands.handle(planLimitsDecider, planLimitsStream(plan), command, metadata);
      return answerOf(plan);
    }),
  ];
}
