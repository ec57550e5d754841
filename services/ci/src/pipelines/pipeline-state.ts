import type { JobEvent } from '@forgelog/contracts/ci/jobs/job.events.ts';
import type { FailureReason } from '@forgelog/contracts/ci/jobs/job.fields.ts';
import { NEW_JOB } from '@forgelog/contracts/ci/jobs/job.lifetime.ts';
import type { PipelineEvent } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import type { CiStatus } from '@forgelog/contracts/ci/pipelines/pipeline-statuses.ts';

export type PipelineStreamEvent = PipelineEvent | JobEvent;
type DataOf<Type extends PipelineStreamEvent['type']> = Extract<PipelineStreamEvent, { type: Type }>['data'];

/** Which pipeline: its stream is named after project and number. */
export interface PipelinePlace {
  projectId: number;
  iid: number;
}

export const pipelineStream = ({ projectId, iid }: PipelinePlace) => `pipeline-${projectId}-${iid}`;

type JobIdentity = 'jobId' | 'pipelineId' | 'projectId' | 'iid';
type OfOneRun = 'userId' | 'retryOf' | 'status' | 'queuedAt' | 'scheduledAt';
/** What a job has in common with its retries. */
export type JobFacts = Omit<DataOf<'JobCreated'>, JobIdentity | OfOneRun>;

export interface Job {
  id: number;
  /** Never changes, so that all states share it. */
  facts: JobFacts;
  status: CiStatus;
  userId: number | null;
  isRetried: boolean;
  /** A failure with one of its exit codes changes it. */
  allowFailure: boolean;
  queuedAt: string | null;
  scheduledAt: string | null;
  startedAt: string | null;
  finishedAt: string | null;
  playedAt: string | null;
  runnerId: number | null;
  coverage: number | null;
  targetUrl: string | null;
  description: string | null;
  failureReason: FailureReason | null;
  exitCode: number | null;
  logSize: number | null;
  logSha256: string | null;
  erasedAt: string | null;
  erasedById: number | null;
  artifactsKept: boolean;
  artifacts: readonly { fileType: string; sha256: string }[];
}

export interface Pipeline {
  existence: 'present';
  pipelineId: number;
  projectId: number;
  iid: number;
  status: CiStatus;
  isInvalid: boolean;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  duration: number | null;
  queuedDuration: number | null;
  coverage: number | null;
  /** In the order of their creation. */
  jobs: readonly Job[];
}

export type PipelineState = { existence: 'absent' } | Pipeline | { existence: 'deleted' };

export function evolvePipeline(state: PipelineState, event: PipelineStreamEvent): PipelineState {
  if (event.type === 'PipelineCreated') return createdPipeline(event.data);
  if (state.existence !== 'present') return state;
  switch (event.type) {
    case 'PipelineStatusChanged':
      return { ...state, ...event.data.changes };
    case 'PipelineDeleted':
      return { existence: 'deleted' };
    case 'JobCreated':
      return { ...state, jobs: [...state.jobs, createdJob(event.data)] };
    case 'JobArtifactAdded': {
      const { fileType, sha256 } = event.data;
      return withJob(state, event.data.jobId, ({ artifacts }) => ({
        artifacts: [...artifacts, { fileType, sha256 }],
      }));
    }
    case 'JobArtifactDeleted': {
      const { fileType } = event.data;
      return withJob(state, event.data.jobId, ({ artifacts }) => ({
        artifacts: artifacts.filter((artifact) => artifact.fileType !== fileType),
      }));
    }
    default:
      return withJob(state, event.data.jobId, () => event.data.changes);
  }
}

/** Copies a list of references, which for a thousand jobs takes a microsecond. */
function withJob(state: Pipeline, jobId: number, changes: (job: Job) => Partial<Job>): Pipeline {
  const index = state.jobs.findIndex(({ id }) => id === jobId);
  const job = state.jobs[index];
  return job ? { ...state, jobs: state.jobs.with(index, { ...job, ...changes(job) }) } : state;
}

const createdPipeline = ({
  pipelineId,
  projectId,
  iid,
  yamlErrors,
  createdAt,
}: DataOf<'PipelineCreated'>): Pipeline => ({
  existence: 'present',
  ...{ pipelineId, projectId, iid, createdAt },
  status: 'created',
  isInvalid: yamlErrors !== null,
  startedAt: null,
  finishedAt: null,
  duration: null,
  queuedDuration: null,
  coverage: null,
  jobs: [],
});

function createdJob(data: DataOf<'JobCreated'>): Job {
  const { jobId, pipelineId, projectId, iid, userId, retryOf, status, queuedAt, scheduledAt, ...facts } =
    data;
  return {
    id: jobId,
    facts,
    ...{ status, userId, queuedAt, scheduledAt },
    ...NEW_JOB,
    allowFailure: facts.allowFailure,
    artifacts: [],
  };
}
