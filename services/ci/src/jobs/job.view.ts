import type { FailureReason } from '@forgelog/contracts/ci/jobs/job.fields.ts';
import { artifactView, bridgeView, jobView } from '@forgelog/contracts/ci/jobs/job.views.ts';
import type { CiStatus } from '@forgelog/contracts/ci/pipelines/pipeline-statuses.ts';
import type { CommitFacts } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import { commitJson } from '@forgelog/service-kit/commit.view.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifGiven } from '@forgelog/service-kit/view-optional.ts';
import { derived, given, host, nested, nestedList, text } from '@forgelog/service-kit/view-parts.ts';
import { projectPath, user } from '@forgelog/service-kit/view-placeholders.ts';
import { listedPipelineJson } from '../pipelines/pipeline.view.ts';
import type { PipelineRow } from '../pipelines/pipelines.projection.ts';
import { runnerJson, type ShownRunner } from '../runners/runner.view.ts';
import type { JobArtifactRow, JobRow } from './jobs.collection.ts';

/** A job with what its answer shows of other records. */
export interface ShownJob extends JobRow {
  pipeline: PipelineRow;
  commit: CommitFacts | null;
  artifacts: readonly JobArtifactRow[];
  downstream: PipelineRow | null;
  /** Null before one has it, and after the runner was removed. */
  runner: ShownRunner | null;
  /** Time of the answer, to which a running job is counted. */
  now: string;
}

const secondsBetween = (from: string | null, to: string): number | null =>
  from === null ? null : Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;

const artifactJson = implementView(artifactView).from<JobArtifactRow>({
  file_type: 'fileType',
  size: 'size',
  filename: 'filename',
  file_format: derived(['fileFormat'], (format: string) => format as 'zip' | 'gzip' | 'raw'),
});

const { iid: _, ...pipelineMembers } = listedPipelineJson.members;
const pipelineOfJobJson = implementView(jobView.shape.pipeline).from<PipelineRow>(pipelineMembers);

const common = {
  id: 'id',
  status: derived(['status'], (status: string) => status as CiStatus),
  stage: 'stage',
  name: 'name',
  ref: given(({ pipeline }: ShownJob) => pipeline.ref),
  tag: given(({ pipeline }: ShownJob) => pipeline.refKind === 'tag'),
  coverage: 'coverage',
  allow_failure: 'allowFailure',
  created_at: 'createdAt',
  started_at: 'startedAt',
  finished_at: 'finishedAt',
  duration: given(({ startedAt, finishedAt, now }: ShownJob) => secondsBetween(startedAt, finishedAt ?? now)),
  queued_duration: given(({ queuedAt, startedAt }: ShownJob) =>
    startedAt === null ? null : secondsBetween(queuedAt, startedAt),
  ),
  user: user('actorId'),
  commit: nested(commitJson, ({ commit, projectId }: ShownJob) => commit && { ...commit, projectId }),
  pipeline: nested(pipelineOfJobJson, ({ pipeline }: ShownJob) => pipeline),
  failure_reason: ifGiven(({ failureReason }: ShownJob) => (failureReason as FailureReason) ?? undefined),
  web_url: text`${host}/${projectPath('projectId')}/-/jobs/${'id'}`,
} as const;

/** Job [companions 3]. */
export const jobJson = implementView(jobView).from<ShownJob>({
  ...common,
  artifacts: nestedList(artifactJson, ({ artifacts }: ShownJob) => artifacts),
  artifacts_file: ifGiven(({ artifacts }: ShownJob) => {
    const archive = artifacts.find(({ fileType }) => fileType === 'archive');
    return archive && { filename: archive.filename, size: archive.size };
  }),
  runner: nested(runnerJson, ({ runner }: ShownJob) => runner),
  artifacts_expire_at: given(
    ({ artifacts }: ShownJob) => artifacts.map(({ expiresAt }) => expiresAt).toSorted()[0] ?? null,
  ),
  tag_list: 'tags',
});

export const bridgeJson = implementView(bridgeView).from<ShownJob>({
  ...common,
  downstream_pipeline: nested(listedPipelineJson, ({ downstream }: ShownJob) => downstream),
});
