import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { auditEventRoutes } from './audit-event.routes.ts';
import { auditEventsProjection } from './audit-events.projection.ts';

export const auditEventSlice = defineSlice<ServicePorts>({
  routes: [auditEventRoutes],
  projections: [auditEventsProjection],
});
