import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { TargetKind } from '../targets/target.ts';
import { discussionRoutes } from './discussion.routes.ts';
import { discussionsProjection } from './discussions.projection.ts';
import { noteRoutes } from './note.routes.ts';

export const discussionSlice = (kinds: readonly TargetKind[]) =>
  defineSlice<ServicePorts>({
    routes: kinds.flatMap((kind) => [
      (ports) => (kind.discussions ? discussionRoutes(ports, kind, kind.discussions) : []),
      (ports) => (kind.notes ? noteRoutes(ports, kind, kind.notes) : []),
    ]),
    projections: [discussionsProjection(kinds)],
  });
