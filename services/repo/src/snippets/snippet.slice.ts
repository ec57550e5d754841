import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { snippetOperations } from './snippet.operations.ts';
import { snippetRoutes } from './snippet.routes.ts';
import { snippetsProjection } from './snippets.projection.ts';

export const snippetSlice = defineSlice<ServicePorts>({
  routes: [snippetRoutes],
  projections: [snippetsProjection],
  operations: [snippetOperations],
});
