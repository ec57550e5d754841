import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { changed } from '../../shared/changes.ts';
import { PLAN_LIMIT_NAMES, PLANS, type PlanLimitName } from './plan-limit-values.ts';
import examples from './plan-limits.events.examples.json' with { type: 'json' };

const limits = Object.fromEntries(
  PLAN_LIMIT_NAMES.map((name) => [name, z.int().describe('Most bytes of such a file; 0 for any number.')]),
) as Record<PlanLimitName, z.ZodInt>;
const plan = z.enum(PLANS).describe('Name of the plan.');

const common = {
  version: 1,
  subject: 'planLimits-<plan>',
  service: 'admin',
  audit: privileged('User', 'PlanLimits'),
  activity: 'administration',
} as const;

export const PlanLimitsCreated = defineEvent({
  ...common,
  type: 'PlanLimitsCreated',
  description: 'Limits of a plan were set for the first time; those that nobody set are the defaults.',
  example: examples.PlanLimitsCreated,
  schema: z.object({ plan, ...limits }),
});

export const PlanLimitsUpdated = defineEvent({
  ...common,
  type: 'PlanLimitsUpdated',
  description: 'Limits of a plan changed.',
  example: examples.PlanLimitsUpdated,
  schema: z.object({ plan, ...changed(limits) }),
});

export const planLimitsEvents = [PlanLimitsCreated, PlanLimitsUpdated] as const;
export type PlanLimitsEvent = EventOf<(typeof planLimitsEvents)[number]>;
