import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { bool, datetime, described, fallback, int, oneOf, required, text } from '../../params.ts';
import { descending, projectId } from '../../shared/common.params.ts';
import { listedPipelineView, pipelineVariableView, pipelineView } from './pipeline.views.ts';
import { CI_STATUSES } from './pipeline-statuses.ts';

const base = '/projects/:id/pipelines';
export const pipelineId = described(required(int()), 'Id of the pipeline');
const one = { id: projectId, pipeline_id: pipelineId };
/** Others than members too, where the project's `public_builds` says so. */
const reading = { service: 'ci', access: project('anyone', { feature: 'builds' }) } as const;
const writing = { service: 'ci', access: project('developer', { feature: 'builds' }) } as const;

export const listPipelines = defineEndpoint({
  ...reading,
  id: 'pipeline-list',
  method: 'GET',
  path: base,
  summary: 'Pipelines of a project, the newest first',
  spec: 'api-v4 L277',
  params: {
    id: projectId,
    scope: described(
      oneOf('running', 'pending', 'finished', 'branches', 'tags'),
      'Only pipelines that run, wait or have finished, or the newest of each branch or tag',
    ),
    status: described(oneOf(...CI_STATUSES), 'Only pipelines of this status'),
    ref: described(text(), 'Only pipelines of this branch or tag'),
    sha: described(text(), 'Only pipelines of this commit'),
    yaml_errors: described(bool(), 'Only pipelines with an invalid configuration, or only others'),
    name: described(text(), 'Deprecated name of `username`'),
    username: described(text(), 'Only pipelines of the user of this name'),
    updated_after: described(datetime(), 'Only pipelines that changed at or after this time'),
    updated_before: described(datetime(), 'Only pipelines that changed at or before this time'),
    order_by: described(fallback(oneOf('id', 'status', 'ref', 'updated_at', 'user_id'), 'id'), 'Order'),
    sort: descending,
  },
  pagination: 'offset',
  response: z.array(listedPipelineView),
});

export const getLatestPipeline = defineEndpoint({
  ...reading,
  id: 'pipeline-latest',
  method: 'GET',
  path: `${base}/latest`,
  summary: 'The newest pipeline of the newest commit of a branch or tag',
  spec: 'companions 2.9',
  params: { id: projectId, ref: described(text(), 'Branch or tag; the default branch by default') },
  response: pipelineView,
});

export const getPipeline = defineEndpoint({
  ...reading,
  id: 'pipeline-get',
  method: 'GET',
  path: `${base}/:pipeline_id`,
  summary: 'One pipeline, also one that another pipeline started',
  spec: 'api-v4 L278',
  params: one,
  response: pipelineView,
});

export const listPipelineVariables = defineEndpoint({
  ...writing,
  id: 'pipeline-variables',
  method: 'GET',
  path: `${base}/:pipeline_id/variables`,
  summary: 'Variables that a pipeline was started with, for maintainers and for who started it',
  spec: 'api-v4 L279',
  params: one,
  pagination: 'offset',
  response: z.array(pipelineVariableView),
});

export const retryPipeline = defineEndpoint({
  ...writing,
  id: 'pipeline-retry',
  method: 'POST',
  path: `${base}/:pipeline_id/retry`,
  summary: 'Run the failed and canceled jobs of a pipeline again',
  spec: 'api-v4 L283',
  params: one,
  status: 201,
  response: pipelineView,
});

export const cancelPipeline = defineEndpoint({
  ...writing,
  id: 'pipeline-cancel',
  method: 'POST',
  path: `${base}/:pipeline_id/cancel`,
  summary: 'Cancel the jobs of a pipeline that wait or run',
  spec: 'api-v4 L284',
  params: one,
  response: pipelineView,
});

export const deletePipeline = defineEndpoint({
  service: 'ci',
  access: project('owner', { feature: 'builds' }),
  id: 'pipeline-delete',
  method: 'DELETE',
  path: `${base}/:pipeline_id`,
  summary: 'Delete a pipeline with its jobs, their logs and their artifacts',
  spec: 'api-v4 L285',
  params: one,
  status: 204,
  otherStatuses: [412],
});

export const pipelineEndpoints = [
  listPipelines,
  getLatestPipeline,
  getPipeline,
  listPipelineVariables,
  retryPipeline,
  cancelPipeline,
  deletePipeline,
];
