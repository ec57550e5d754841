import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { freezePeriodRoutes } from './freeze-period.routes.ts';
import { freezePeriodsProjection } from './freeze-periods.projection.ts';

export const freezePeriodSlice = defineSlice<ServicePorts>({
  routes: [freezePeriodRoutes],
  projections: [freezePeriodsProjection],
});
