import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { TargetKind } from '../targets/target.ts';
import { noteTextsProjection } from './note-texts.projection.ts';
import { searchRoutes } from './search.routes.ts';

export const searchSlice = (kinds: readonly TargetKind[]) =>
  defineSlice<ServicePorts>({
    routes: [(ports) => searchRoutes(ports, kinds)],
    projections: [noteTextsProjection(kinds)],
  });
