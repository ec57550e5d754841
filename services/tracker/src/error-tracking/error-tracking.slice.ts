import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { errorTrackingProjection } from './error-tracking.projection.ts';
import { errorTrackingRoutes } from './error-tracking.routes.ts';

export const errorTrackingSlice = defineSlice<ServicePorts>({
  routes: [errorTrackingRoutes],
  projections: [errorTrackingProjection],
});
