import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { clientKeyRoutes } from './client-key.routes.ts';
import { collectorRoutes } from './collector.routes.ts';
import { errorTrackingProjection } from './error-tracking.projection.ts';
import { errorTrackingRoutes } from './error-tracking.routes.ts';
import { occurrenceCountsFor } from './occurrence-counts.ts';
import { trackedErrorRoutes } from './tracked-error.routes.ts';
import { clientKeysProjection, trackedErrorsProjection } from './tracked-errors.projection.ts';

export const errorTrackingSlice = defineSlice<ServicePorts>({
  routes: [errorTrackingRoutes, clientKeyRoutes, collectorRoutes, trackedErrorRoutes],
  projections: [errorTrackingProjection, clientKeysProjection, trackedErrorsProjection],
  workers: [occurrenceCountsFor],
});
