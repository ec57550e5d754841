import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { dueIterationSweeper } from './due-iterations.worker.ts';
import { iterationRoutes } from './iteration.routes.ts';
import { iterationCadenceRoutes } from './iteration-cadence.routes.ts';
import { iterationsProjection } from './iterations.projection.ts';

export const iterationSlice = defineSlice<ServicePorts>({
  routes: [iterationRoutes, iterationCadenceRoutes],
  projections: [iterationsProjection],
  workers: [dueIterationSweeper],
});
