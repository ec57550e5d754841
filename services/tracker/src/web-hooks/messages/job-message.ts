import type { JobEvent } from '@forgelog/contracts/ci/jobs/job.events.ts';
import { describeJob } from '@forgelog/contracts/ci/jobs/job.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { HookMessage } from '../web-hook-sender.ts';
import { commitOf } from './commit-facts.ts';
import { type HookFacts, spokenTime } from './hook-facts.ts';
import { secondsBetween, shownRunner } from './pipeline-message.ts';

const NO_COMMIT = '0'.repeat(40);

/** A job as it is now, with the status that the event gave it. Nothing of jobs that no runner gets. */
export async function jobMessage(
  ports: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, JobEvent['data']>,
): Promise<HookMessage[]> {
  const { projectId, jobId } = event.data;
  const project = await facts.projectOf(projectId);
  const asked = { projectIds: [projectId], id: jobId };
  const { found } = await ports.operations.call(describeJob, asked, { principal: null });
  if (!project || !found) return [];
  const { pipeline } = found;
  const job = { ...found.job, ...progressIn(event.data) };
  const shown = await facts.project(project);
  const commit = await commitOf(ports, projectId, pipeline.sha);
  const body = {
    object_kind: 'build',
    ref: pipeline.ref,
    tag: pipeline.refKind === 'tag',
    before_sha: pipeline.beforeSha ?? NO_COMMIT,
    sha: pipeline.sha,
    build_id: job.id,
    build_name: job.name,
    build_stage: job.stage,
    build_status: job.status,
    build_created_at: spokenTime(job.createdAt),
    build_started_at: spokenTime(job.startedAt),
    build_finished_at: spokenTime(job.finishedAt),
    build_duration: secondsBetween(job.startedAt, job.finishedAt),
    build_queued_duration: secondsBetween(job.queuedAt, job.startedAt),
    build_allow_failure: job.allowFailure,
    build_failure_reason: job.failureReason ?? 'unknown_failure',
    pipeline_id: pipeline.id,
    project_id: projectId,
    project_name: project.fullName,
    user: await facts.user(job.userId),
    commit: {
      // Clients of this message read the pipeline here.
      id: pipeline.id,
      sha: pipeline.sha,
      message: commit?.message ?? null,
      author_name: commit?.author.name ?? null,
      author_email: commit?.author.email ?? null,
      author_url: commit && `mailto:${commit.author.email}`,
      status: pipeline.status,
      duration: pipeline.duration,
      started_at: spokenTime(pipeline.startedAt),
      finished_at: spokenTime(pipeline.finishedAt),
    },
    repository: facts.pushedRepository(shown),
    project: shown,
    runner: shownRunner(job),
    environment: job.environment,
  };
  return [{ trigger: 'job_events', projectId, branch: null, body: JSON.stringify(body) }];
}

const PROGRESS = ['status', 'queuedAt', 'startedAt', 'finishedAt', 'allowFailure', 'failureReason'] as const;

/** What the event says of the job, in the words of its description. */
function progressIn(data: JobEvent['data']) {
  const told: Readonly<Record<string, unknown>> = 'changes' in data ? data.changes : { ...data };
  return Object.fromEntries(PROGRESS.flatMap((name) => (name in told ? [[name, told[name]]] : []))) as object;
}
