import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { jobObjectPolicies } from './job-objects.policy.ts';
import { unnamedObjectSweeper } from './unnamed-objects.worker.ts';

export const objectSlice = defineSlice<ServicePorts>({
  policies: [jobObjectPolicies],
  workers: [unnamedObjectSweeper],
});
