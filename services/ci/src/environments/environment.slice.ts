import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { autoStopSweeper } from './auto-stop.worker.ts';
import { environmentRoutes } from './environment.routes.ts';
import { environmentsProjection } from './environments.projection.ts';
import { reviewAppSweeper } from './review-apps.worker.ts';

export const environmentSlice = defineSlice<ServicePorts>({
  routes: [environmentRoutes],
  projections: [environmentsProjection],
  workers: [reviewAppSweeper, autoStopSweeper],
});
