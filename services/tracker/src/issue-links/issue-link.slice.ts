import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { issueLinkRoutes } from './issue-link.routes.ts';
import { issueLinksProjection } from './issue-links.projection.ts';

export const issueLinkSlice = defineSlice<ServicePorts>({
  routes: [issueLinkRoutes],
  projections: [issueLinksProjection],
});
