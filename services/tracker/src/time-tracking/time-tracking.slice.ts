import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { TargetKind } from '../targets/target.ts';
import { timeTrackingRoutes } from './time-tracking.routes.ts';

export const timeTrackingSlice = (kinds: readonly TargetKind[]) =>
  defineSlice<ServicePorts>({
    routes: kinds.map(
      (kind) => (ports) => (kind.timeTracking ? timeTrackingRoutes(ports, kind, kind.timeTracking) : []),
    ),
  });
