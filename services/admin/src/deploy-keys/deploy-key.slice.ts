import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { deployKeyRoutes } from './deploy-key.routes.ts';
import { deployKeyPolicies } from './deploy-key-ends.policy.ts';
import { deployKeysProjection } from './deploy-keys.projection.ts';

export const deployKeySlice = defineSlice<ServicePorts>({
  routes: [deployKeyRoutes],
  projections: [deployKeysProjection],
  policies: [deployKeyPolicies],
});
