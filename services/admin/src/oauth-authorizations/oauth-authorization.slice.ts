import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { authorizationPolicies } from './authorization-ends.policy.ts';
import { authorizationExpiry } from './authorization-expiry.worker.ts';
import { oauthAuthorizationOperations } from './oauth-authorization.operations.ts';
import { openAuthorizationsProjection } from './open-authorizations.projection.ts';

export const oauthAuthorizationSlice = defineSlice<ServicePorts>({
  routes: [],
  projections: [openAuthorizationsProjection],
  policies: [authorizationPolicies],
  workers: [authorizationExpiry],
  operations: [oauthAuthorizationOperations],
});
