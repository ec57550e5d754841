import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';
import { agentJobRoutes } from './agent-jobs.routes.ts';
import { jobOperations } from './job.operations.ts';
import { jobRoutes } from './job.routes.ts';
import { jobActRoutes } from './job-acts.routes.ts';
import { jobsProjection } from './jobs.projection.ts';
import { overdueJobSweeper } from './overdue-jobs.worker.ts';
import { resourceGroupPolicies } from './resource-groups.policy.ts';
import { silentJobSweeper } from './silent-jobs.worker.ts';

export const jobSlice = defineSlice<CiPorts>({
  routes: [jobRoutes, jobActRoutes, agentJobRoutes],
  projections: [jobsProjection],
  operations: [jobOperations],
  policies: [resourceGroupPolicies],
  workers: [overdueJobSweeper, silentJobSweeper],
});
