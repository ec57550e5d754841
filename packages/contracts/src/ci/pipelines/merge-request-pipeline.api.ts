import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { mergeRequestTarget } from '../../tracker/merge-requests/merge-request.target.ts';
import { listedPipelineView, pipelineView } from './pipeline.views.ts';

const { path, params } = mergeRequestTarget;
const shared = { service: 'ci', path: `${path}/pipelines`, params, spec: 'companions 2.8' } as const;

export const listMergeRequestPipelines = defineEndpoint({
  ...shared,
  access: project('anyone', { feature: 'merge_requests', signedIn: true }),
  id: 'mr-pipeline-list',
  method: 'GET',
  summary: 'Pipelines of a merge request and of its source branch at its commits, the newest first',
  pagination: 'offset',
  response: z.array(listedPipelineView),
});

export const createMergeRequestPipeline = defineEndpoint({
  ...shared,
  access: project('developer', { feature: 'merge_requests' }),
  id: 'mr-pipeline-create',
  method: 'POST',
  summary: 'Run a pipeline of a merge request',
  response: pipelineView,
});

export const mergeRequestPipelineEndpoints = [listMergeRequestPipelines, createMergeRequestPipeline];
