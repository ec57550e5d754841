import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';
import { pipelineRoutes } from './pipeline.routes.ts';
import { pipelinesProjection } from './pipelines.projection.ts';

export const pipelineSlice = defineSlice<CiPorts>({
  routes: [pipelineRoutes],
  projections: [pipelinesProjection],
});
