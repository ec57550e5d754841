import { commitStatusView } from '@forgelog/contracts/ci/commit-statuses/commit-status.api.ts';
import type { CiStatus } from '@forgelog/contracts/ci/pipelines/pipeline-statuses.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, given } from '@forgelog/service-kit/view-parts.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import type { JobRow } from '../jobs/jobs.collection.ts';
import type { PipelineRow } from '../pipelines/pipelines.projection.ts';

export interface ShownStatus extends JobRow {
  pipeline: PipelineRow;
}

export const commitStatusJson = implementView(commitStatusView).from<ShownStatus>({
  id: 'id',
  sha: given(({ pipeline }: ShownStatus) => pipeline.sha),
  ref: given(({ pipeline }: ShownStatus) => pipeline.ref),
  status: derived(['status'], (status: string) => status as CiStatus),
  name: 'name',
  target_url: 'targetUrl',
  description: 'description',
  created_at: 'createdAt',
  started_at: 'startedAt',
  finished_at: 'finishedAt',
  allow_failure: 'allowFailure',
  coverage: 'coverage',
  author: user('actorId'),
});
