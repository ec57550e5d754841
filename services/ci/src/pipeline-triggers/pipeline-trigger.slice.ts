import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { pipelineTriggerRoutes } from './pipeline-trigger.routes.ts';
import { pipelineTriggersProjection } from './pipeline-triggers.projection.ts';

export const pipelineTriggerSlice = defineSlice<ServicePorts>({
  routes: [pipelineTriggerRoutes],
  projections: [pipelineTriggersProjection],
});
