import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { discussionRoutes } from './discussion.routes.ts';
import { discussionsProjection } from './discussions.projection.ts';
import { noteRoutes } from './note.routes.ts';

export const discussions = defineSlice<ServicePorts>({
  routes: [discussionRoutes, noteRoutes],
  projections: [discussionsProjection],
});
