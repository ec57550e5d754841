import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { followRoutes } from './follow.routes.ts';
import { followsProjection } from './follows.projection.ts';

export const followSlice = defineSlice<ServicePorts>({
  routes: [followRoutes],
  projections: [followsProjection],
});
