import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { boardRoutes } from './board.routes.ts';
import { boardsProjection } from './boards.projection.ts';

export const boardSlice = defineSlice<ServicePorts>({
  routes: [boardRoutes],
  projections: [boardsProjection],
});
