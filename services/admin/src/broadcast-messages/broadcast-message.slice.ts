import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { broadcastMessageRoutes } from './broadcast-message.routes.ts';
import { broadcastMessagesProjection } from './broadcast-messages.projection.ts';

export const broadcastMessageSlice = defineSlice<ServicePorts>({
  routes: [broadcastMessageRoutes],
  projections: [broadcastMessagesProjection],
});
