import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { userKeyOperations } from './user-key.operations.ts';
import { userKeyRoutes } from './user-key.routes.ts';
import { userKeysProjection } from './user-keys.projection.ts';

export const userKeySlice = defineSlice<ServicePorts>({
  routes: [userKeyRoutes],
  projections: [userKeysProjection],
  operations: [userKeyOperations],
});
