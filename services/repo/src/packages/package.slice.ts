import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { genericPackageRoutes } from './generic-package.routes.ts';
import { packagePolicies } from './package.policy.ts';
import { packageRoutes } from './package.routes.ts';
import { packageLimitsProjection } from './package-limits.projection.ts';
import { packagesProjection } from './packages.projection.ts';
import { unnamedPackageFileSweeper } from './unnamed-package-files.worker.ts';

export const packageSlice = defineSlice<RepoPorts>({
  routes: [packageRoutes, genericPackageRoutes],
  projections: [packagesProjection, packageLimitsProjection],
  policies: [packagePolicies],
  workers: [unnamedPackageFileSweeper],
});
