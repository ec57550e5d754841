import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { accessTokenOperations } from './access-token.operations.ts';
import { accessTokenRoutes } from './access-token.routes.ts';
import { accessTokensProjection } from './access-tokens.projection.ts';
import { impersonationTokenRoutes } from './impersonation-token.routes.ts';
import { openTokensProjection } from './open-tokens.projection.ts';
import { tokenPolicies } from './token-ends.policy.ts';
import { tokenExpiry } from './token-expiry.worker.ts';

export const accessTokenSlice = defineSlice<ServicePorts>({
  routes: [accessTokenRoutes, impersonationTokenRoutes],
  projections: [accessTokensProjection, openTokensProjection],
  policies: [tokenPolicies],
  workers: [tokenExpiry],
  operations: [accessTokenOperations],
});
