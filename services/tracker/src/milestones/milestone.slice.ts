import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { milestoneOperations } from './milestone.operations.ts';
import { knownMilestones, milestonePlaceholder } from './milestone.placeholder.ts';
import { milestoneRoutes } from './milestone.routes.ts';
import { milestoneContentRoutes } from './milestone-content.routes.ts';
import { milestonesProjection } from './milestones.projection.ts';

export const milestoneSlice = defineSlice<ServicePorts>({
  routes: [milestoneRoutes, milestoneContentRoutes],
  projections: [(ports) => ({ ...milestonesProjection, applied: () => knownMilestones(ports).forgetAll() })],
  placeholders: [milestonePlaceholder],
  operations: [milestoneOperations],
});
