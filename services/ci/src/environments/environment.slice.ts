import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';
import { autoStopSweeper } from './auto-stop.worker.ts';
import { environmentRoutes } from './environment.routes.ts';
import { environmentsProjection } from './environments.projection.ts';
import { reviewAppSweeper } from './review-apps.worker.ts';

export const environmentSlice = defineSlice<CiPorts>({
  routes: [environmentRoutes],
  projections: [environmentsProjection],
  workers: [reviewAppSweeper, autoStopSweeper],
});
