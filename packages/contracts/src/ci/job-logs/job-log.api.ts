import { defineEndpoint, project, runningJob } from '../../endpoint.ts';
import { described, int, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';

export const appendToJobLog = defineEndpoint({
  service: 'ci',
  access: runningJob,
  id: 'job-trace-append',
  method: 'PATCH',
  path: '/jobs/:id/trace',
  summary: 'Add a piece to the log of a running job, for its runner',
  spec: 'companions 5',
  params: {
    id: described(required(int({ min: 1 })), 'Id of the job'),
    token: described(text({ max: 255 }), 'Token of the job, for runners that do not send the header'),
  },
  bodyTypes: ['text/plain'],
  status: 202,
  otherStatuses: [416],
  headers: {
    'Job-Status': 'State of the job; a runner stops unless it is running',
    Range: '`0-<size>`: how much of the log the server has',
    'X-GitLab-Trace-Update-Interval': 'Seconds until the next piece is expected',
  },
});

export const getJobLog = defineEndpoint({
  service: 'ci',
  access: project('anyone', { feature: 'builds' }),
  id: 'job-trace',
  method: 'GET',
  path: '/projects/:id/jobs/:job_id/trace',
  summary: 'The log of a job, as far as it is known',
  spec: 'companions 2.9',
  params: { id: projectId, job_id: described(required(int({ min: 1 })), 'Id of the job') },
  otherStatuses: [206, 304, 416],
  mediaTypes: ['text/plain'],
});

export const jobLogEndpoints = [appendToJobLog, getJobLog];
