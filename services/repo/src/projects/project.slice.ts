import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { dueProjectSweeper } from './due-projects.worker.ts';
import { groupSharedRunnerPolicies } from './group-shared-runners.policy.ts';
import { movedGroupVisibilityPolicies } from './moved-group-visibility.policy.ts';
import { projectOperations } from './project.operations.ts';
import { projectPolicies } from './project.policy.ts';
import { projectRoutes } from './project.routes.ts';
import { projectApprovalRoutes } from './project-approvals.routes.ts';
import { projectForkRoutes } from './project-fork.routes.ts';
import { projectStarrerRoutes } from './project-starrer.routes.ts';
import { projectsProjection } from './projects.projection.ts';

export const projectSlice = defineSlice<RepoPorts>({
  routes: [projectRoutes, projectForkRoutes, projectApprovalRoutes, projectStarrerRoutes],
  projections: [projectsProjection],
  policies: [projectPolicies, groupSharedRunnerPolicies, movedGroupVisibilityPolicies],
  workers: [dueProjectSweeper],
  operations: [projectOperations],
});
