import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { badgeRoutes } from './badge.routes.ts';
import { badgesProjection } from './badges.projection.ts';

export const badgeSlice = defineSlice<ServicePorts>({
  routes: [badgeRoutes],
  projections: [badgesProjection],
});
