import { z } from 'zod';
import { defineEndpoint, project, user } from '../../endpoint.ts';
import { bool, described, fallback, hash, int, list, oneOf, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { pipelineId } from '../pipelines/pipeline.api.ts';
import { CI_STATUSES } from '../pipelines/pipeline-statuses.ts';
import { runnerId } from '../runners/runner.params.ts';
import { bridgeView, jobView } from './job.views.ts';

const base = '/projects/:id/jobs';
const ofPipeline = '/projects/:id/pipelines/:pipeline_id';
const one = { id: projectId, job_id: described(required(int()), 'Id of the job') };
const reading = { service: 'ci', access: project('anyone', { feature: 'builds' }) } as const;
const writing = { service: 'ci', access: project('developer', { feature: 'builds' }) } as const;
const scope = described(list(oneOf(...CI_STATUSES)), 'Only jobs of these statuses');

export const listJobs = defineEndpoint({
  ...reading,
  id: 'job-list',
  method: 'GET',
  path: base,
  summary: 'Jobs of a project, the newest first',
  spec: 'companions 2.9',
  params: { id: projectId, scope },
  pagination: 'offset',
  response: z.array(jobView),
});

export const listPipelineJobs = defineEndpoint({
  ...reading,
  id: 'pipeline-jobs',
  method: 'GET',
  path: `${ofPipeline}/jobs`,
  summary: 'Jobs of a pipeline, the newest first',
  spec: 'companions 2.9',
  params: {
    id: projectId,
    pipeline_id: pipelineId,
    scope,
    include_retried: described(fallback(bool(), false), 'Jobs that were retried too'),
  },
  pagination: 'offset',
  response: z.array(jobView),
});

export const listPipelineBridges = defineEndpoint({
  ...reading,
  id: 'pipeline-bridges',
  method: 'GET',
  path: `${ofPipeline}/bridges`,
  summary: 'Jobs of a pipeline that start other pipelines, the newest first',
  spec: 'companions 2.9',
  params: { id: projectId, pipeline_id: pipelineId, scope },
  pagination: 'offset',
  response: z.array(bridgeView),
});

export const getJob = defineEndpoint({
  ...reading,
  id: 'job-get',
  method: 'GET',
  path: `${base}/:job_id`,
  summary: 'One job',
  spec: 'companions 2.9',
  params: one,
  response: jobView,
});

export const cancelJob = defineEndpoint({
  ...writing,
  id: 'job-cancel',
  method: 'POST',
  path: `${base}/:job_id/cancel`,
  summary: 'Cancel a job; nothing happens to one that has ended',
  spec: 'companions 2.9',
  params: one,
  status: 201,
  response: jobView,
});

export const retryJob = defineEndpoint({
  ...writing,
  id: 'job-retry',
  method: 'POST',
  path: `${base}/:job_id/retry`,
  summary: 'Run a job again that has ended; the answer is the new job',
  spec: 'companions 2.9',
  params: one,
  status: 201,
  response: jobView,
});

export const playJob = defineEndpoint({
  ...writing,
  id: 'job-play',
  method: 'POST',
  path: `${base}/:job_id/play`,
  summary: 'Start a manual job, or a delayed one before its time',
  spec: 'companions 2.9',
  params: {
    ...one,
    job_variables_attributes: described(
      list(
        hash({
          key: described(required(text({ max: 255 })), 'Name of the variable'),
          value: described(required(text({ max: 65_536 })), 'Its value'),
        }),
        { max: 100 },
      ),
      'Variables for this job',
      { examples: [[{ key: 'TARGET', value: 'production' }]] },
    ),
  },
  response: jobView,
});

export const eraseJob = defineEndpoint({
  ...writing,
  id: 'job-erase',
  method: 'POST',
  path: `${base}/:job_id/erase`,
  summary: 'Remove the log and the artifacts of a job, for maintainers and for who ran it',
  spec: 'companions 2.9',
  params: one,
  status: 201,
  response: jobView,
});

export const getOwnJob = defineEndpoint({
  service: 'ci',
  id: 'job-get-own',
  method: 'GET',
  path: '/job',
  summary: 'The running job whose token calls',
  spec: 'companions 2.9',
  access: user,
  jobToken: true,
  params: {},
  response: jobView,
});

export const listRunnerJobs = defineEndpoint({
  service: 'ci',
  id: 'runner-jobs',
  method: 'GET',
  path: '/runners/:id/jobs',
  summary: 'Jobs that a runner got, of projects in which the caller is a reporter at least, the newest first',
  spec: 'companions 2.10',
  access: user,
  params: {
    id: runnerId,
    status: described(oneOf(...CI_STATUSES), 'Only jobs of this status'),
    order_by: described(oneOf('id'), 'By what they are sorted'),
    sort: described(fallback(oneOf('asc', 'desc'), 'desc'), 'Direction of the order'),
  },
  pagination: 'offset',
  response: z.array(jobView),
});

export const jobEndpoints = [
  getOwnJob,
  listRunnerJobs,
  listJobs,
  listPipelineJobs,
  listPipelineBridges,
  getJob,
  cancelJob,
  retryJob,
  playJob,
  eraseJob,
];
