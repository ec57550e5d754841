import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { accessRequestRoutes } from './access-request.routes.ts';
import { accessRequestsProjection } from './access-requests.projection.ts';

export const accessRequestSlice = defineSlice<ServicePorts>({
  routes: [accessRequestRoutes],
  projections: [accessRequestsProjection],
});
