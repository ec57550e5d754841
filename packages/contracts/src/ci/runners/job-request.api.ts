import { z } from 'zod';
import { anyone, defineEndpoint, runningJob } from '../../endpoint.ts';
import { described, hash, int, oneOf, required, text } from '../../params.ts';
import { jobResponseView } from './job-response.views.ts';
import { runnerInfo } from './runner.params.ts';

/* How an agent gets jobs, and how it tells what became of them. */

export const requestJob = defineEndpoint({
  service: 'ci',
  id: 'job-request',
  method: 'POST',
  path: '/jobs/request',
  summary: 'Get the next job; without one, wait for it and then answer 204',
  spec: 'companions 5',
  access: anyone,
  params: {
    token: described(required(text({ max: 255 })), 'Token of the runner', { examples: ['glrt-of-a-runner'] }),
    info: runnerInfo,
    last_update: described(
      text({ max: 255 }),
      'The header X-GitLab-Last-Update of the answer before; a request with it is held while there is no job',
    ),
  },
  status: 201,
  otherStatuses: [204],
  response: jobResponseView,
  headers: { 'X-GitLab-Last-Update': 'To be sent as `last_update` with the next request' },
});

export const updateJob = defineEndpoint({
  service: 'ci',
  id: 'job-update',
  method: 'PUT',
  path: '/jobs/:id',
  summary: 'Tell how a job is going, or how it ended',
  spec: 'companions 5',
  access: runningJob,
  params: {
    id: described(required(int({ min: 1 })), 'Id of the job'),
    token: described(text({ max: 255 }), 'Token of the job, for runners that do not send the header', {
      examples: ['glcbt-of-a-job'],
    }),
    state: described(oneOf('pending', 'running', 'success', 'failed'), 'How it is going, or how it ended', {
      examples: ['success'],
    }),
    failure_reason: described(text({ max: 255 }), 'Why it failed'),
    exit_code: described(int(), 'Exit code of its script'),
    checksum: described(text({ max: 255 }), 'CRC-32 of the log, of older agents'),
    output: described(
      hash({
        checksum: described(text({ max: 255 }), 'CRC-32 of the log'),
        bytesize: described(int({ min: 0 }), 'Bytes of the log'),
      }),
      'What the log should be',
    ),
    info: runnerInfo,
  },
  otherStatuses: [202, 412],
  response: z.literal('200').meta({ examples: ['200'] }),
  headers: {
    'Job-Status': 'State of the job; an agent stops unless it is running',
    'X-GitLab-Trace-Update-Interval': 'Seconds until the next call is expected',
  },
});

export const jobRequestEndpoints = [requestJob, updateJob];
