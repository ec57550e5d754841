import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { userEmailRoutes } from './user-email.routes.ts';
import { userEmailsProjection } from './user-emails.projection.ts';

export const userEmailSlice = defineSlice<ServicePorts>({
  routes: [userEmailRoutes],
  projections: [userEmailsProjection],
});
