import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';
import { mergeRequestPipelineRoutes } from './merge-request-pipeline.routes.ts';
import { openedMergeRequests } from './opened-merge-requests.policy.ts';
import { pipelineCreationRoutes } from './pipeline-creation.routes.ts';
import { pushedPipelines } from './pushed-pipelines.policy.ts';

export const pipelineCreationSlice = defineSlice<CiPorts>({
  routes: [pipelineCreationRoutes, mergeRequestPipelineRoutes],
  policies: [pushedPipelines, openedMergeRequests],
});
