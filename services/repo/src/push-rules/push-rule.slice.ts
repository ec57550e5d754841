import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { pushRuleRoutes } from './push-rule.routes.ts';
import { pushRulesProjection } from './push-rules.projection.ts';

export const pushRuleSlice = defineSlice<RepoPorts>({
  routes: [pushRuleRoutes],
  projections: [pushRulesProjection],
});
