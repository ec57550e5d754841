import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { ciVariableRoutes } from './ci-variable.routes.ts';
import { ciVariablesProjection } from './ci-variables.projection.ts';

export const ciVariableSlice = defineSlice<ServicePorts>({
  routes: [ciVariableRoutes],
  projections: [ciVariablesProjection],
});
