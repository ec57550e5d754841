import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';
import { pipelineTriggerRoutes } from './pipeline-trigger.routes.ts';
import { pipelineTriggersProjection } from './pipeline-triggers.projection.ts';
import { triggerPipelineRoutes } from './trigger-pipeline.routes.ts';

export const pipelineTriggerSlice = defineSlice<CiPorts>({
  routes: [pipelineTriggerRoutes, triggerPipelineRoutes],
  projections: [pipelineTriggersProjection],
});
