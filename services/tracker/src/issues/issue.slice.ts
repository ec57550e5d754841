import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { closedProjects } from './closed-projects.query.ts';
import { closerPlaceholder } from './closer.placeholder.ts';
import { issueRoutes } from './issue.routes.ts';
import { issueClosersProjection } from './issue-closers.projection.ts';
import { issueCopyPolicy } from './issue-copy.policy.ts';
import { issueCopyRoutes } from './issue-copy.routes.ts';
import { issueListRoutes } from './issue-list.routes.ts';
import { issueOrderRoutes } from './issue-order.routes.ts';
import { issuesProjection } from './issues.projection.ts';

export const issueSlice = defineSlice<ServicePorts>({
  routes: [issueRoutes, issueListRoutes, issueCopyRoutes, issueOrderRoutes],
  projections: [
    issuesProjection,
    ({ readStore }) => issueClosersProjection(closedProjects(readStore).forget),
  ],
  policies: [(ports) => [issueCopyPolicy(ports)]],
  placeholders: [({ directory }) => closerPlaceholder(directory)],
});
