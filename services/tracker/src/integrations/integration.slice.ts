import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { integrationPolicies } from './chat/integration-messages.policy.ts';
import { integrationRoutes } from './integration.routes.ts';
import { integrationsProjection } from './integrations.projection.ts';

export const integrationSlice = defineSlice<ServicePorts>({
  routes: [integrationRoutes],
  projections: [integrationsProjection],
  policies: [integrationPolicies],
});
