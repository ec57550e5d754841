import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { bool, described, fallback, int, number, oneOf, required, text, url } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import { CI_STATUSES } from '../pipelines/pipeline-statuses.ts';
import examples from './commit-status.examples.json' with { type: 'json' };

/** CommitStatus (companions 3): a job of a pipeline of the commit, also one that another system runs. */
export const commitStatusView = defineView(
  'CommitStatus',
  {
    id: z.int(),
    sha: z.string(),
    ref: z.string(),
    status: z.enum(CI_STATUSES),
    name: z.string(),
    target_url: z.string().nullable(),
    description: z.string().nullable(),
    created_at: datetimeView,
    started_at: datetimeView.nullable(),
    finished_at: datetimeView.nullable(),
    allow_failure: z.boolean(),
    coverage: z.number().nullable(),
    author: userView.nullable(),
  },
  examples.CommitStatus,
);

export const REPORTED_STATES = ['pending', 'running', 'success', 'failed', 'canceled'] as const;

const sha = described(
  required(text({ max: 1024 })),
  'Id of the commit, an abbreviation of it, or a branch or tag',
);
const line = text({ max: 255 });
const spec = 'companions 2.5';

export const listCommitStatuses = defineEndpoint({
  id: 'commit-status-list',
  service: 'ci',
  method: 'GET',
  path: '/projects/:id/repository/commits/:sha/statuses',
  summary: 'Statuses of a commit: those of its jobs, and those that other systems report',
  spec,
  access: project('anyone', { feature: 'builds' }),
  params: {
    id: projectId,
    sha,
    ref: described(line, 'Only those of pipelines of this branch or tag'),
    stage: described(line, 'Only those of this stage'),
    name: described(line, 'Only those of this name'),
    all: described(fallback(bool(), false), 'Those too that a newer one replaces'),
  },
  pagination: 'offset',
  response: z.array(commitStatusView),
});

export const createCommitStatus = defineEndpoint({
  id: 'commit-status-create',
  service: 'ci',
  method: 'POST',
  path: '/projects/:id/statuses/:sha',
  summary: 'Report what another system makes of a commit; it counts into the status of its pipeline',
  spec,
  access: project('developer', { feature: 'builds' }),
  params: {
    id: projectId,
    sha,
    state: described(required(oneOf(...REPORTED_STATES)), 'The status', { examples: ['success'] }),
    ref: described(
      line,
      'Branch or tag of the pipeline; by default that of the newest pipeline, or a branch',
    ),
    name: described(line, 'Name of the status, which tells it from others; by default `default`', {
      examples: ['scanner'],
    }),
    context: described(line, 'The same as `name`'),
    target_url: described(url({ max: 255, clearable: true }), 'Address of a page about it'),
    description: described(line, 'What there is to say about it'),
    coverage: described(number({ min: 0, max: 100 }), 'Coverage in percent'),
    pipeline_id: described(int(), 'Pipeline that it belongs to; by default the newest one of the commit'),
  },
  status: 201,
  response: commitStatusView,
});

export const commitStatusEndpoints = [listCommitStatuses, createCommitStatus];
