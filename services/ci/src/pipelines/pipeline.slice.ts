import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';
import { pipelineOperations } from './pipeline.operations.ts';
import { pipelineRoutes } from './pipeline.routes.ts';
import { pipelinesProjection } from './pipelines.projection.ts';
import { redundantPipelines } from './redundant-pipelines.policy.ts';

export const pipelineSlice = defineSlice<CiPorts>({
  routes: [pipelineRoutes],
  projections: [pipelinesProjection],
  operations: [pipelineOperations],
  policies: [redundantPipelines],
});
