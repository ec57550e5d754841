import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { accessTokenRoutes } from './access-token.routes.ts';
import { accessTokensProjection } from './access-tokens.projection.ts';

export const accessTokens = defineSlice<ServicePorts>({
  routes: [accessTokenRoutes],
  projections: [accessTokensProjection],
});
