import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { branchProtectionRoutes } from './branch-protection.routes.ts';
import { protectedBranchRoutes } from './protected-branch.routes.ts';

export const protectedBranchSlice = defineSlice<RepoPorts>({
  routes: [protectedBranchRoutes, branchProtectionRoutes],
  projections: [({ protectedBranchRules }) => protectedBranchRules.projection],
});
