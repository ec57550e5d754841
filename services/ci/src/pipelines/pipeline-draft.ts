import type { CiStatus } from '@forgelog/contracts/ci/pipelines/pipeline-statuses.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import { compositeStatus, NO_STATUS, statusBit } from './composite-status.ts';
import { meanCoverage, secondsBetween, secondsOfWork } from './pipeline-durations.ts';
import {
  evolvePipeline,
  type Job,
  type JobFacts,
  type Pipeline,
  type PipelineStreamEvent,
} from './pipeline-state.ts';
import { settledStatuses } from './settlement.ts';

export interface NewJob {
  jobId: number;
  facts: JobFacts;
  userId: number | null;
  retryOf: number | null;
  /** `created` waits for the jobs before it. */
  status: 'created' | 'pending' | 'waiting_for_resource';
}

/** The events of one command, and the pipeline after them. */
export class PipelineDraft {
  readonly events: PipelineStreamEvent[] = [];
  readonly now: string;
  pipeline: Pipeline;

  constructor(pipeline: Pipeline, now: string) {
    this.pipeline = pipeline;
    this.now = now;
  }

  get ids() {
    const { pipelineId, projectId, iid } = this.pipeline;
    return { pipelineId, projectId, iid };
  }

  /** @throws Rejection for a job of another pipeline */
  job(jobId: number): Job {
    const job = this.pipeline.jobs.find(({ id }) => id === jobId);
    if (!job) throw new Rejection('record_not_found');
    return job;
  }

  emit(event: PipelineStreamEvent): void {
    this.events.push(event);
    this.pipeline = evolvePipeline(this.pipeline, event) as Pipeline;
  }

  /** Emits the event of a job with the values that differ. */
  change(type: ChangeEvent, job: Job, wanted: Partial<Job>): void {
    const change = changesFrom<Job>(job, wanted);
    if (change) this.emit({ type, data: { jobId: job.id, ...this.ids, ...change } } as PipelineStreamEvent);
  }

  newest(): Job[] {
    return this.pipeline.jobs.filter(({ isRetried }) => !isRetried);
  }

  moveTo(job: Job, status: CiStatus): void {
    switch (status) {
      case 'created':
        this.change('JobReset', job, { status });
        break;
      case 'waiting_for_resource':
        this.change('JobWaitsForResource', job, { status });
        break;
      case 'pending':
        this.change('JobQueued', job, { status, queuedAt: this.now });
        break;
      case 'scheduled':
        this.change('JobScheduled', job, { status, scheduledAt: this.dueAt(job.facts) });
        break;
      case 'manual':
        this.change('JobMadeManual', job, { status });
        break;
      case 'skipped':
        this.change('JobSkipped', job, { status });
        break;
      default:
        throw new Error(`a job does not wait in the status ${status}`);
    }
  }

  /**
   * Adds jobs, brings on all jobs that need not wait any longer, and sums up the status of the pipeline. `reset` names
   * skipped jobs that wait again; those that are skipped again get no event.
   */
  settle({
    add = [],
    reset = new Set(),
  }: {
    add?: readonly NewJob[];
    reset?: ReadonlySet<number>;
  } = {}): void {
    const present = this.newest();
    const statuses = settledStatuses([
      ...present.map((job) => (reset.has(job.id) ? { ...job, status: 'created' as const } : job)),
      ...add.map(({ facts, status }) => ({ facts, status, allowFailure: facts.allowFailure })),
    ]);
    add.forEach((job, index) => {
      this.#create(job, statuses[present.length + index]!);
    });
    present.forEach((job, index) => {
      if (statuses[index] !== job.status) this.moveTo(job, statuses[index]!);
    });
    this.#sumUp();
  }

  skip(): void {
    const change = changesFrom<Pipeline>(this.pipeline, { status: 'skipped' });
    const data = { ...this.ids, ...change };
    this.emit({ type: 'PipelineStatusChanged', data } as PipelineStreamEvent);
  }

  #create({ jobId, facts, userId, retryOf }: NewJob, status: CiStatus): void {
    const data = {
      ...{ jobId, ...this.ids, ...facts, userId, retryOf, status },
      queuedAt: status === 'pending' ? this.now : null,
      scheduledAt: status === 'scheduled' ? this.dueAt(facts) : null,
    };
    this.emit({ type: 'JobCreated', data } as PipelineStreamEvent);
  }

  dueAt({ startIn }: Pick<JobFacts, 'startIn'>): string {
    return new Date(Date.parse(this.now) + (startIn ?? 0) * 1000).toISOString();
  }

  #sumUp(): void {
    const { pipeline, now } = this;
    const jobs = this.newest();
    const set = jobs.reduce((set, job) => set | statusBit(job), NO_STATUS);
    const status = pipeline.isInvalid ? 'failed' : (compositeStatus(set) ?? statusWithoutJobs(pipeline));
    if (status === pipeline.status) return;
    const isFinished = status === 'success' || status === 'failed' || status === 'canceled';
    const startedAt = pipeline.startedAt ?? (jobs.some((job) => job.startedAt !== null) ? now : null);
    const change = changesFrom<Pipeline>(pipeline, {
      status,
      startedAt,
      finishedAt: isFinished ? now : null,
      duration: isFinished ? secondsOfWork(jobs, now) : pipeline.duration,
      queuedDuration: startedAt === null ? null : secondsBetween(pipeline.createdAt, startedAt),
      coverage: meanCoverage(jobs),
    });
    if (!change) return;
    const data = { ...this.ids, ...change };
    this.emit({ type: 'PipelineStatusChanged', data } as PipelineStreamEvent);
  }
}

const statusWithoutJobs = ({ status }: Pipeline): CiStatus => (status === 'skipped' ? status : 'success');

type ChangeEvent = Exclude<
  PipelineStreamEvent['type'],
  'PipelineCreated' | 'PipelineDeleted' | 'PipelineStatusChanged' | 'JobCreated'
>;
