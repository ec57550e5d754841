import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { activityEventRoutes } from './activity-event.routes.ts';
import { activityEventsProjection } from './activity-events.projection.ts';

export const activityEvents = defineSlice<ServicePorts>({
  routes: [activityEventRoutes],
  projections: [activityEventsProjection],
});
