import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { deployTokenRoutes } from './deploy-token.routes.ts';
import { deployTokensProjection } from './deploy-tokens.projection.ts';

export const deployTokenSlice = defineSlice<ServicePorts>({
  routes: [deployTokenRoutes],
  projections: [deployTokensProjection],
});
