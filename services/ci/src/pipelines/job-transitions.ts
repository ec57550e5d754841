import { JOB_RETRIED } from '@forgelog/contracts/ci/jobs/job.events.ts';
import type { FailureReason } from '@forgelog/contracts/ci/jobs/job.fields.ts';
import type { CiStatus } from '@forgelog/contracts/ci/pipelines/pipeline-statuses.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { NewJob, PipelineDraft } from './pipeline-draft.ts';
import type { Job } from './pipeline-state.ts';
import { queuedStatus } from './settlement.ts';

const FINISHED: readonly CiStatus[] = ['success', 'failed', 'canceled'];
const CANCELABLE: readonly CiStatus[] = [
  'created',
  'waiting_for_resource',
  'preparing',
  'pending',
  'running',
  'scheduled',
];

export const isFinished = ({ status }: Pick<Job, 'status'>): boolean => FINISHED.includes(status);
export const isRetryable = (job: Pick<Job, 'status' | 'isRetried'>): boolean =>
  !job.isRetried && isFinished(job);
const isAction = ({ facts }: Job) => facts.when === 'manual' || facts.when === 'delayed';

export interface JobResult {
  outcome: 'success' | 'failed';
  failureReason: FailureReason | null;
  exitCode: number | null;
  coverage: number | null;
  /** Id of the copy, if the job is retried by itself. */
  newJobId: number | null;
}

/** @throws Rejection if somebody else has it, or it need not run any more */
export function startJob(draft: PipelineDraft, jobId: number, runnerId: number | null): void {
  const job = draft.job(jobId);
  if (job.status !== 'pending') throw new Rejection('conflict', {});
  draft.change('JobStarted', job, { status: 'running', startedAt: draft.now, runnerId });
  draft.settle();
}

/** Undoes a start of which the runner does not know. */
export function returnJob(draft: PipelineDraft, jobId: number, runnerId: number): void {
  const job = draft.job(jobId);
  if (job.status !== 'running' || job.runnerId !== runnerId) return;
  draft.change('JobReturned', job, {
    status: 'pending',
    queuedAt: draft.now,
    startedAt: null,
    runnerId: null,
  });
  draft.settle();
}

/** Nothing for a job that does not run: what a runner says twice, late or after a cancel changes nothing. */
export function completeJob(draft: PipelineDraft, jobId: number, result: JobResult): void {
  const job = draft.job(jobId);
  const runs = job.status === 'running' || (job.status === 'pending' && job.facts.kind === 'bridge');
  if (runs) endJob(draft, job, result);
}

/** Fails a job that is still in the status in which its failure was decided. */
export function dropJob(
  draft: PipelineDraft,
  {
    jobId,
    from,
    ...result
  }: { jobId: number; from: CiStatus; failureReason: FailureReason; newJobId: number | null },
): void {
  const job = draft.job(jobId);
  if (job.status === from)
    endJob(draft, job, { ...result, outcome: 'failed', exitCode: null, coverage: null });
}

export function endJob(draft: PipelineDraft, job: Job, result: JobResult): void {
  const { outcome, exitCode, coverage } = result;
  const ended = { status: outcome, finishedAt: draft.now, exitCode, coverage };
  if (outcome === 'success') {
    draft.change('JobSucceeded', job, ended);
    draft.settle();
    return;
  }
  const failureReason = result.failureReason ?? 'unknown_failure';
  const { allowFailureExitCodes: codes } = job.facts;
  const allowFailure = codes === null ? job.allowFailure : exitCode !== null && codes.includes(exitCode);
  draft.change('JobFailed', job, { ...ended, failureReason, allowFailure });
  const retries = result.newJobId !== null && isRetriedByItself(draft, job, failureReason);
  draft.settle({ add: retries ? [replace(draft, job, result.newJobId!, { automatic: true })] : [] });
}

/** Reasons that another try does not cure, whatever the configuration says. */
const FINAL: readonly FailureReason[] = ['missing_dependency_failure', 'forward_deployment_failure'];

function isRetriedByItself({ pipeline }: PipelineDraft, { facts }: Job, reason: FailureReason): boolean {
  const { max, when } = facts.retry;
  if (FINAL.includes(reason) || !(when.includes('always') || when.includes(reason))) return false;
  const before = pipeline.jobs.filter(
    (job) => job.isRetried && job.facts.name === facts.name && job.facts.kind === facts.kind,
  );
  return before.length < max;
}

/** Retires the job, and returns its copy, which is queued at once or waits for the jobs before it. */
export function replace(
  draft: PipelineDraft,
  job: Job,
  newJobId: number,
  by: { automatic: true } | { automatic: false; userId: number | null; waits: boolean },
): NewJob {
  const ids = { jobId: job.id, ...draft.ids };
  draft.emit({ type: 'JobRetried', data: { ...ids, newJobId, automatic: by.automatic, ...JOB_RETRIED } });
  return {
    jobId: newJobId,
    facts: job.facts,
    retryOf: job.id,
    userId: by.automatic ? job.userId : by.userId,
    status: !by.automatic && by.waits ? 'created' : queuedStatus(job.facts),
  };
}

export function cancelJobs(draft: PipelineDraft, jobs: readonly Job[]): void {
  for (const job of jobs)
    if (CANCELABLE.includes(job.status))
      draft.change('JobCanceled', job, { status: 'canceled', finishedAt: draft.now });
  draft.settle();
}

/** A bridge that was started waits for its pipeline; that may run again after it has ended. */
export function reopenBridge(draft: PipelineDraft, jobId: number): void {
  const job = draft.job(jobId);
  if (job.facts.kind !== 'bridge' || job.startedAt === null || !isRetryable(job)) return;
  const unknown = { finishedAt: null, failureReason: null, exitCode: null, coverage: null };
  draft.change('JobReopened', job, { status: 'running', ...unknown });
  draft.settle({ reset: skippedAfter(draft, job) });
}

/** A manual job can be canceled by its name, though not with its pipeline. */
export function cancelJob(draft: PipelineDraft, jobId: number): void {
  const job = draft.job(jobId);
  if (job.status === 'manual')
    draft.change('JobCanceled', job, { status: 'canceled', finishedAt: draft.now });
  cancelJobs(draft, [draft.job(jobId)]);
}

/** @throws Rejection if it has not ended, or was retried before */
export function retryJob(draft: PipelineDraft, jobId: number, newJobId: number, userId: number): void {
  const job = draft.job(jobId);
  if (!isRetryable(job)) throw new Rejection('forbidden', { reason: 'Job is not retryable' });
  const copy = replace(draft, job, newJobId, { automatic: false, userId, waits: false });
  draft.settle({ add: [copy], reset: skippedAfter(draft, job) });
}

/** As many of its failed and canceled jobs as there are ids; all skipped jobs wait again. */
export function retryPipeline(draft: PipelineDraft, newJobIds: readonly number[], userId: number): void {
  const jobs = draft.newest();
  const failed = retriedWithPipeline(jobs).slice(0, newJobIds.length);
  const add = failed.map((job, index) =>
    replace(draft, job, newJobIds[index]!, { automatic: false, userId, waits: true }),
  );
  draft.settle({
    add,
    reset: new Set(jobs.filter(({ status }) => status === 'skipped').map(({ id }) => id)),
  });
}

export const retriedWithPipeline = (jobs: readonly Job[]): Job[] =>
  jobs.filter(
    ({ isRetried, status, facts }) =>
      !isRetried && facts.kind !== 'external' && (status === 'failed' || status === 'canceled'),
  );

/** Manual and delayed jobs, waiting or ended. */
export const isPlayable = (job: Job): boolean =>
  isAction(job) && (job.status === 'manual' || job.status === 'scheduled' || isRetryable(job));

/** One that has ended before runs again as a copy. @throws Rejection for a job that is not played */
export function playJob(
  draft: PipelineDraft,
  {
    jobId,
    newJobId,
    userId,
    sealedVariables,
  }: {
    jobId: number;
    newJobId: number;
    userId: number;
    sealedVariables: string | null;
  },
): void {
  const job = draft.job(jobId);
  if (!isPlayable(job)) throw new Rejection('bad_request', { reason: 'Unplayable Job' });
  const reset = skippedAfter(draft, job);
  if (isFinished(job)) {
    const copy = replace(draft, job, newJobId, { automatic: false, userId, waits: false });
    draft.settle({ add: [copy], reset });
    played(draft, newJobId, userId, sealedVariables);
    return;
  }
  played(draft, jobId, userId, sealedVariables);
  draft.moveTo(draft.job(jobId), queuedStatus(job.facts));
  draft.settle({ reset });
}

function played(draft: PipelineDraft, jobId: number, userId: number, sealedVariables: string | null): void {
  const { userId: before, playedAt } = draft.job(jobId);
  const changes = { playedAt: draft.now, ...(before !== userId && { userId }) };
  const previous = { playedAt, ...(before !== userId && { userId: before }) };
  const data = { jobId, ...draft.ids, sealedVariables, changes, previous };
  draft.emit({ type: 'JobPlayed', data });
}

/** Skipped jobs of later stages, and those that need the job, directly or through others. */
function skippedAfter(draft: PipelineDraft, { facts }: Job): Set<number> {
  const jobs = draft.newest();
  const reached = new Set([facts.name]);
  const after = new Set<number>();
  for (let before = -1; before < after.size; ) {
    before = after.size;
    for (const { id, status, facts: own } of jobs) {
      const follows =
        own.stageIndex > facts.stageIndex || own.needs?.some(({ job }) => reached.has(job)) === true;
      if (status !== 'skipped' || after.has(id) || !follows) continue;
      after.add(id);
      reached.add(own.name);
    }
  }
  return after;
}
