import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { knownLabels } from './known-labels.ts';
import { labelRoutes } from './label.routes.ts';
import { labelsProjection } from './labels.projection.ts';

export const labelSlice = defineSlice<ServicePorts>({
  routes: [labelRoutes],
  projections: [({ readStore }) => ({ ...labelsProjection, applied: knownLabels(readStore).applied })],
});
