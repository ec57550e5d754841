import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { dueGroupSweeper } from './due-groups.worker.ts';
import { groupPolicies } from './group.policy.ts';
import { groupRoutes } from './group.routes.ts';
import { groupChangeRoutes } from './group-changes.routes.ts';
import { groupTransferRoutes } from './group-transfer.routes.ts';
import { groupsProjection } from './groups.projection.ts';
import { projectGroupRoutes } from './project-group.routes.ts';
import { projectSizesProjection } from './project-sizes.projection.ts';

export const groupSlice = defineSlice<ServicePorts>({
  routes: [groupRoutes, groupChangeRoutes, groupTransferRoutes, projectGroupRoutes],
  projections: [groupsProjection, projectSizesProjection],
  policies: [groupPolicies],
  workers: [dueGroupSweeper],
});
