import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { planLimitsProjection } from './plan-limits.projection.ts';
import { planLimitsRoutes } from './plan-limits.routes.ts';

export const planLimitsSlice = defineSlice<ServicePorts>({
  routes: [planLimitsRoutes],
  projections: [planLimitsProjection],
});
