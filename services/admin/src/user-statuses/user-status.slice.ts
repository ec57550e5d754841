import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { userStatusRoutes } from './user-status.routes.ts';
import { userStatusesProjection } from './user-statuses.projection.ts';

export const userStatusSlice = defineSlice<ServicePorts>({
  routes: [userStatusRoutes],
  projections: [userStatusesProjection],
});
