import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { oauthApplicationRoutes } from './oauth-application.routes.ts';
import { oauthApplicationsProjection } from './oauth-applications.projection.ts';

export const oauthApplicationSlice = defineSlice<ServicePorts>({
  routes: [oauthApplicationRoutes],
  projections: [oauthApplicationsProjection],
});
