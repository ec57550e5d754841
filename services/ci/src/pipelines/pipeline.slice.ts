import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { pipelinesProjection } from './pipelines.projection.ts';

export const pipelineSlice = defineSlice<ServicePorts>({ projections: [pipelinesProjection] });
