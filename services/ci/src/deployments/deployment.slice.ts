import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { deploymentPolicies } from './deployment.policy.ts';
import { deploymentsProjection } from './deployments.projection.ts';

export const deploymentSlice = defineSlice<ServicePorts>({
  projections: [deploymentsProjection],
  policies: [deploymentPolicies],
});
