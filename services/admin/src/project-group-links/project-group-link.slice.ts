import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { range } from '@forgelog/eventing/query.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import { openProjectGroupLinksProjection } from './open-project-group-links.projection.ts';
import { projectGroupLinkRoutes } from './project-group-link.routes.ts';
import { endProjectShares } from './project-share-ends.commands.ts';
import { projectSharePolicies } from './project-share-ends.policy.ts';

export const projectGroupLinkSlice = defineSlice<ServicePorts>({
  routes: [projectGroupLinkRoutes],
  projections: [openProjectGroupLinksProjection],
  policies: [projectSharePolicies],
  workers: [
    // Nobody waits for it: rights go by the date itself.
    (ports) =>
      createSweeper(ports, 'ends of expired shares', (signal) => {
        const where = range('expiresAt', { lte: today(ports) });
        return endProjectShares(ports, { where, reason: 'expired', metadata: SYSTEM_METADATA, signal });
      }),
  ],
});
