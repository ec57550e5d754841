import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { debianDistributionRoutes } from './debian-distribution.routes.ts';
import { debianDistributionsProjection } from './debian-distributions.projection.ts';

export const debianDistributionSlice = defineSlice<ServicePorts>({
  routes: [debianDistributionRoutes],
  projections: [debianDistributionsProjection],
});
