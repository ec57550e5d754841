import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';
import { featureFlagOperations } from './feature-flag.operations.ts';
import { featureFlagRoutes } from './feature-flag.routes.ts';
import { featureFlagUserListRoutes } from './feature-flag-user-list.routes.ts';
import { featureFlagsProjection } from './feature-flags.projection.ts';
import { featureFlagsClientsProjection } from './feature-flags-clients.projection.ts';
import { unleashRoutes } from './unleash.routes.ts';

export const featureFlagSlice = defineSlice<CiPorts>({
  routes: [featureFlagRoutes, featureFlagUserListRoutes, unleashRoutes],
  projections: [featureFlagsProjection, featureFlagsClientsProjection],
  operations: [featureFlagOperations],
});
