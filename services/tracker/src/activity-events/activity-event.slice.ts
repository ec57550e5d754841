import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { TargetKind } from '../targets/target.ts';
import { activityEventOperations } from './activity-event.operations.ts';
import { activityEventRoutes } from './activity-event.routes.ts';
import { activityEventsProjection } from './activity-events.projection.ts';

export const activityEventSlice = (kinds: readonly TargetKind[]) =>
  defineSlice<ServicePorts>({
    routes: [(ports) => activityEventRoutes(ports, kinds)],
    operations: [activityEventOperations],
    projections: [activityEventsProjection(kinds)],
  });
