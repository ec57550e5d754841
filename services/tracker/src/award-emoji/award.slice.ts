import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { TargetKind } from '../targets/target.ts';
import { awardRoutes } from './award.routes.ts';
import { awardsProjection } from './awards.projection.ts';

export const awardSlice = (kinds: readonly TargetKind[]) =>
  defineSlice<ServicePorts>({
    routes: kinds.flatMap((kind) =>
      Object.values(kind.awards ?? {}).map(
        (endpoints) => (ports: ServicePorts) => awardRoutes(ports, kind, endpoints),
      ),
    ),
    projections: [awardsProjection(kinds)],
  });
