import type { FailureReason } from '@forgelog/contracts/ci/jobs/job.fields.ts';
import type { PipelineCreated } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { reportStatus, type StatusReport } from './external-status.ts';
import {
  addArtifact,
  archiveLog,
  deleteArtifacts,
  eraseJob,
  keepArtifacts,
  type NewArtifact,
} from './job-storage.ts';
import {
  cancelJob,
  cancelJobs,
  completeJob,
  dropJob,
  type JobResult,
  playJob,
  reopenBridge,
  retryJob,
  retryPipeline,
  returnJob,
  startJob,
} from './job-transitions.ts';
import { PipelineDraft } from './pipeline-draft.ts';
import {
  evolvePipeline,
  type JobFacts,
  type Pipeline,
  type PipelinePlace,
  type PipelineState,
  type PipelineStreamEvent,
} from './pipeline-state.ts';
import { queuedStatus } from './settlement.ts';

type Created = EventOf<typeof PipelineCreated>['data'];

export type CreatePipeline = Omit<Created, 'createdAt'> & {
  type: 'CreatePipeline';
  isSkipped?: boolean;
  /** What another system says, for which the pipeline is made. */
  report?: StatusReport;
  /** Ordered by stage. */
  jobs: readonly { jobId: number; facts: JobFacts }[];
};

/** Times are those of the server, in ISO 8601 and UTC. Ids for copies of jobs that are not needed stay unused. */
export type PipelineCommand = PipelinePlace & { now: string } & (
    | CreatePipeline
    | { type: 'DeletePipeline' }
    | { type: 'CancelPipeline' }
    /** For a newer pipeline of the ref. Skips a pipeline with a started job that must not be interrupted. */
    | { type: 'CancelRedundantPipeline' }
    | { type: 'RetryPipeline'; newJobIds: readonly number[]; userId: number }
    | { type: 'StartJob'; jobId: number; runnerId: number | null }
    | ({ type: 'CompleteJob'; jobId: number } & JobResult)
    /** Skips a job that is no longer in this status. */
    | {
        type: 'DropJob';
        jobId: number;
        from: 'pending' | 'running';
        failureReason: FailureReason;
        newJobId: number | null;
      }
    | ({ type: 'ReportStatus' } & StatusReport)
    | { type: 'CancelJob'; jobId: number }
    | { type: 'ReturnJob'; jobId: number; runnerId: number }
    | { type: 'ReopenBridge'; jobId: number }
    | { type: 'RetryJob'; jobId: number; newJobId: number; userId: number }
    | {
        type: 'PlayJob';
        jobId: number;
        newJobId: number;
        userId: number;
        sealedVariables: string | null;
      }
    /** Skips a job that is not delayed any more, or not due. */
    | { type: 'QueueDueJob'; jobId: number }
    /** Skips a job that does not wait for its resource group. */
    | { type: 'GrantResource'; jobId: number }
    /** Skips a job that is not pending. */
    | { type: 'AwaitResource'; jobId: number }
    | ({ type: 'AddArtifact'; jobId: number } & NewArtifact)
    | { type: 'KeepArtifacts'; jobId: number }
    | { type: 'DeleteArtifacts'; jobId: number; reason: 'deleted' | 'expired' }
    | { type: 'ArchiveLog'; jobId: number; size: number; sha256: string }
    | { type: 'EraseJob'; jobId: number; userId: number }
  );

/** An append holds all events of a creation, and EventStoreDB takes 1 MiB with their metadata. */
const MOST_JOBS = 1000;
const MOST_BYTES = 1_000_000;
const METADATA_BYTES = 450;

/** A pipeline with all its jobs (ADR 45). */
export const pipelineDecider: Decider<PipelineState, PipelineCommand, PipelineStreamEvent> = {
  initialState: { existence: 'absent' },

  decide(command, state) {
    if (command.type === 'CreatePipeline') return create(command, state);
    if (state.existence !== 'present') throw new Rejection('record_not_found');
    const draft = new PipelineDraft(state, command.now);
    act(command, draft);
    return draft.events;
  },

  evolve: evolvePipeline,
};

function create(
  {
    type: _,
    now,
    jobs,
    report,
    isSkipped = false,
    ...facts
  }: Extract<PipelineCommand, { type: 'CreatePipeline' }>,
  state: PipelineState,
) {
  if (state.existence !== 'absent') throw new Rejection('conflict', {});
  if (jobs.length > MOST_JOBS) throw tooLarge(`${jobs.length} jobs, and the most is ${MOST_JOBS}`);
  const data = { ...facts, createdAt: now };
  const created: PipelineStreamEvent = { type: 'PipelineCreated', data };
  const draft = new PipelineDraft(evolvePipeline(state, created) as Pipeline, now);
  if (isSkipped) draft.skip();
  if (report) reportStatus(draft, report);
  else
    draft.settle({
      add: jobs.map((job) => ({ ...job, userId: facts.userId, retryOf: null, status: 'created' })),
    });
  const events = [created, ...draft.events];
  const size = Buffer.byteLength(JSON.stringify(events));
  const most = MOST_BYTES - METADATA_BYTES * events.length;
  if (size > most)
    throw tooLarge(
      `${jobs.length} jobs with ${size} bytes of names, needs and tags, and the most is ${most}`,
    );
  return events;
}

const tooLarge = (what: string) =>
  new Rejection('validation_failed', { fields: { base: [`The pipeline is too large: it has ${what}`] } });

type ActOn = Exclude<PipelineCommand, { type: 'CreatePipeline' }>;

function act(command: ActOn, draft: PipelineDraft): void {
  switch (command.type) {
    case 'DeletePipeline':
      draft.emit({ type: 'PipelineDeleted', data: draft.ids });
      break;
    case 'CancelPipeline':
      cancelJobs(draft, draft.newest());
      break;
    case 'CancelRedundantPipeline': {
      const started = draft.newest().filter(({ startedAt }) => startedAt !== null);
      if (started.every(({ facts }) => facts.interruptible)) cancelJobs(draft, draft.newest());
      break;
    }
    case 'RetryPipeline':
      retryPipeline(draft, command.newJobIds, command.userId);
      break;
    case 'StartJob':
      startJob(draft, command.jobId, command.runnerId);
      break;
    case 'CompleteJob':
      completeJob(draft, command.jobId, command);
      break;
    case 'DropJob':
      dropJob(draft, command);
      break;
    case 'ReturnJob':
      returnJob(draft, command.jobId, command.runnerId);
      break;
    case 'ReopenBridge':
      reopenBridge(draft, command.jobId);
      break;
    case 'ReportStatus':
      reportStatus(draft, command);
      break;
    case 'CancelJob':
      cancelJob(draft, command.jobId);
      break;
    case 'RetryJob':
      retryJob(draft, command.jobId, command.newJobId, command.userId);
      break;
    case 'PlayJob':
      playJob(draft, command);
      break;
    case 'QueueDueJob': {
      const job = draft.job(command.jobId);
      if (job.status !== 'scheduled' || job.scheduledAt === null || job.scheduledAt > command.now) break;
      draft.moveTo(job, queuedStatus(job.facts));
      draft.settle();
      break;
    }
    case 'GrantResource': {
      const job = draft.job(command.jobId);
      if (job.status !== 'waiting_for_resource') break;
      draft.moveTo(job, 'pending');
      draft.settle();
      break;
    }
    case 'AwaitResource': {
      const job = draft.job(command.jobId);
      if (job.status !== 'pending' || job.facts.resourceGroup === null) break;
      draft.moveTo(job, 'waiting_for_resource');
      draft.settle();
      break;
    }
    case 'AddArtifact':
      addArtifact(draft, command.jobId, command);
      break;
    case 'KeepArtifacts':
      keepArtifacts(draft, command.jobId);
      break;
    case 'DeleteArtifacts':
      deleteArtifacts(draft, command.jobId, command.reason);
      break;
    case 'ArchiveLog':
      archiveLog(draft, command.jobId, command);
      break;
    case 'EraseJob':
      eraseJob(draft, command.jobId, command.userId);
      break;
    default:
      command satisfies never;
  }
}
