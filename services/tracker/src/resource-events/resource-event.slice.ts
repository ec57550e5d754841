import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { TargetKind } from '../targets/target.ts';
import { resourceEventRoutes } from './resource-event.routes.ts';
import { resourceEventsProjection } from './resource-events.projection.ts';

export const resourceEventSlice = (kinds: readonly TargetKind[]) =>
  defineSlice<ServicePorts>({
    routes: kinds.map(
      (kind) => (ports) => (kind.resourceEvents ? resourceEventRoutes(ports, kind, kind.resourceEvents) : []),
    ),
    projections: [resourceEventsProjection(kinds)],
  });
