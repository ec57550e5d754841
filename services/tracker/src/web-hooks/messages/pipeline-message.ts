import type { DescribedJob } from '@forgelog/contracts/ci/jobs/described-job.ts';
import type { PipelineStatusChanged } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import { describePipeline } from '@forgelog/contracts/ci/pipelines/pipeline.operations.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { isThere, mergeRequests } from '../../merge-requests/merge-requests.collection.ts';
import type { HookMessage } from '../web-hook-sender.ts';
import { commitOf, shownCommit } from './commit-facts.ts';
import { type HookFacts, spokenTime } from './hook-facts.ts';

const WORDS: Readonly<Record<string, string>> = {
  success: 'passed',
  manual: 'blocked',
  scheduled: 'delayed',
  waiting_for_resource: 'waiting',
};
const NO_COMMIT = '0'.repeat(40);
const REQUEST_REF = /^refs\/merge-requests\/(\d+)\//;

/** A pipeline with its jobs as they are now, and the status that the event gave it. */
export async function pipelineMessage(
  ports: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, EventOf<typeof PipelineStatusChanged>['data']>,
): Promise<HookMessage[]> {
  const { projectId, pipelineId, changes } = event.data;
  if (changes.status === undefined) return [];
  const found = await facts.projectOf(projectId);
  const asked = { projectIds: [projectId], id: pipelineId };
  const { pipeline: now } = await ports.operations.call(describePipeline, asked, { principal: null });
  if (!found || !now) return [];
  const pipeline = { ...now, ...changes };
  const { id, iid, ref, sha, source, status, stages } = pipeline;
  const commit = await commitOf(ports, projectId, sha);
  const body = {
    object_kind: 'pipeline',
    object_attributes: {
      ...{ id, iid, ref, tag: pipeline.refKind === 'tag', sha },
      before_sha: pipeline.beforeSha ?? NO_COMMIT,
      ...{ source, status, detailed_status: WORDS[status] ?? status, stages },
      created_at: spokenTime(pipeline.createdAt),
      finished_at: spokenTime(pipeline.finishedAt),
      duration: pipeline.duration,
      queued_duration: pipeline.queuedDuration,
      variables: pipeline.variables,
      url: `${facts.webUrl(found)}/-/pipelines/${id}`,
    },
    merge_request: await mergeRequestOf(ports, facts, { projectId, ref }),
    user: await facts.user(pipeline.userId),
    project: await facts.project(found),
    commit: commit && shownCommit(facts, found, commit),
    builds: await Promise.all(pipeline.jobs.map((job) => buildOf(facts, job))),
  };
  return [{ trigger: 'pipeline_events', projectId, branch: null, body: JSON.stringify(body) }];
}

async function mergeRequestOf(
  { readStore }: ServicePorts,
  facts: HookFacts,
  { projectId, ref }: { projectId: number; ref: string },
) {
  const [, iid] = REQUEST_REF.exec(ref) ?? [];
  if (iid === undefined) return null;
  const row = await readStore.get(mergeRequests, placeOf(projectId, Number(iid))!);
  const project = await facts.projectOf(projectId);
  if (!isThere(row) || !project) return null;
  return {
    id: row.id,
    iid: row.iid,
    title: row.title,
    source_branch: row.sourceBranch,
    source_project_id: row.sourceProjectId,
    target_branch: row.targetBranch,
    target_project_id: row.projectId,
    state: row.state,
    merge_status: row.state === 'merged' ? 'can_be_merged' : 'unchecked',
    url: `${facts.webUrl(project)}/-/merge_requests/${row.iid}`,
  };
}

async function buildOf(facts: HookFacts, job: DescribedJob) {
  return {
    id: job.id,
    stage: job.stage,
    name: job.name,
    status: job.status,
    created_at: spokenTime(job.createdAt),
    started_at: spokenTime(job.startedAt),
    finished_at: spokenTime(job.finishedAt),
    duration: secondsBetween(job.startedAt, job.finishedAt),
    queued_duration: secondsBetween(job.queuedAt, job.startedAt),
    failure_reason: job.failureReason,
    when: job.when,
    manual: job.when === 'manual',
    allow_failure: job.allowFailure,
    user: await facts.user(job.userId),
    runner: shownRunner(job),
    artifacts_file: job.archive ?? { filename: null, size: null },
    environment: job.environment,
  };
}

export const shownRunner = ({ runner }: DescribedJob) =>
  runner && {
    id: runner.id,
    description: runner.description,
    active: runner.active,
    runner_type: runner.runnerType,
    is_shared: runner.runnerType === 'instance_type',
    tags: runner.tags,
  };

export const secondsBetween = (from: string | null, to: string | null): number | null =>
  from === null || to === null ? null : Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;
