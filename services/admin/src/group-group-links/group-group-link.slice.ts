import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { range } from '@forgelog/eventing/query.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import { groupGroupLinkRoutes } from './group-group-link.routes.ts';
import { endGroupShares } from './group-share-ends.commands.ts';
import { groupSharePolicies } from './group-share-ends.policy.ts';
import { openGroupGroupLinksProjection } from './open-group-group-links.projection.ts';

export const groupGroupLinkSlice = defineSlice<ServicePorts>({
  routes: [groupGroupLinkRoutes],
  projections: [openGroupGroupLinksProjection],
  policies: [groupSharePolicies],
  workers: [
    // Nobody waits for it: rights go by the date itself.
    (ports) =>
      createSweeper(ports, 'ends of expired shares of groups', (signal) => {
        const where = range('expiresAt', { lte: today(ports) });
        return endGroupShares(ports, { where, reason: 'expired', metadata: SYSTEM_METADATA, signal });
      }),
  ],
});
