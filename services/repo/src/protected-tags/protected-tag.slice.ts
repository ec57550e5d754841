import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { protectedTagRoutes } from './protected-tag.routes.ts';

export const protectedTagSlice = defineSlice<RepoPorts>({
  routes: [protectedTagRoutes],
  projections: [({ protectedTagRules }) => protectedTagRules.projection],
});
