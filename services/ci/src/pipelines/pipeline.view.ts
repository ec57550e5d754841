import {
  listedPipelineView,
  pipelineVariableView,
  pipelineView,
} from '@forgelog/contracts/ci/pipelines/pipeline.views.ts';
import type { CiStatus } from '@forgelog/contracts/ci/pipelines/pipeline-statuses.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, given, host, text } from '@forgelog/service-kit/view-parts.ts';
import { projectPath, user } from '@forgelog/service-kit/view-placeholders.ts';
import type { GivenVariable } from './given-variables.ts';
import type { PipelineRow } from './pipelines.projection.ts';

/** Pipeline in a list [L75]. */
export const listedPipelineJson = implementView(listedPipelineView).from<PipelineRow>({
  id: 'id',
  iid: 'iid',
  project_id: 'projectId',
  status: derived(['status'], (status: string) => status as CiStatus),
  ref: 'ref',
  sha: 'sha',
  web_url: text`${host}/${projectPath('projectId')}/-/pipelines/${'id'}`,
  created_at: 'createdAt',
  updated_at: 'updatedAt',
});

export interface ShownPipeline extends PipelineRow {
  committedAt: string | null;
}

const NO_COMMIT = '0'.repeat(40);

/** Pipeline by itself [L75]. */
export const pipelineJson = implementView(pipelineView).from<ShownPipeline>({
  ...listedPipelineJson.members,
  before_sha: derived(['beforeSha'], (sha: string | null) => sha ?? NO_COMMIT),
  tag: derived(['refKind'], (kind: string) => kind === 'tag'),
  yaml_errors: 'yamlErrors',
  user: user('actorId'),
  started_at: 'startedAt',
  finished_at: 'finishedAt',
  committed_at: given(({ committedAt }: ShownPipeline) => committedAt),
  duration: 'duration',
  queued_duration: 'queuedDuration',
  coverage: derived(['coverage'], (coverage: number | null) => coverage?.toFixed(2) ?? null),
});

export const pipelineVariableJson = implementView(pipelineVariableView).from<GivenVariable>({
  key: 'key',
  variable_type: derived(['type'], (type: 'env_var' | 'file') => type),
  value: 'value',
});
