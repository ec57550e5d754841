import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { integrationRoutes } from './integration.routes.ts';
import { integrationPolicies } from './integration-messages.policy.ts';
import { integrationsProjection } from './integrations.projection.ts';

export const integrationSlice = defineSlice<ServicePorts>({
  routes: [integrationRoutes],
  projections: [integrationsProjection],
  policies: [integrationPolicies],
});
