import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';
import { deploymentOperations } from './deployment.operations.ts';
import { deploymentPolicies } from './deployment.policy.ts';
import { deploymentRoutes } from './deployment.routes.ts';
import { deploymentsProjection } from './deployments.projection.ts';

export const deploymentSlice = defineSlice<CiPorts>({
  routes: [deploymentRoutes],
  projections: [deploymentsProjection],
  operations: [deploymentOperations],
  policies: [deploymentPolicies],
});
