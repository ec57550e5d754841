import { type JobEvent, jobEvents } from '@forgelog/contracts/ci/jobs/job.events.ts';
import { defineProjection, type Recorded } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { artifactKey, type JobRow, jobArtifacts, jobs } from './jobs.collection.ts';
import { sweptAt } from './overdue.ts';

export const jobsProjection = defineProjection<JobEvent>({
  name: 'jobs',
  collections: [jobs, jobArtifacts],
  handles: jobEvents.map(({ type }) => type),
  async project(event, documents) {
    const { jobId: id } = event.data;
    switch (event.type) {
      case 'JobCreated':
        return documents.put(jobs, created(event));
      case 'JobArtifactAdded': {
        const { iid: _, ...artifact } = event.data;
        // An event that comes late must not bring a deleted job's artifact back.
        const job = await documents.get(jobs, id);
        if (!job) return;
        const expiresAt = job.artifactsKept ? null : artifact.expiresAt;
        return documents.put(jobArtifacts, {
          ...artifact,
          expiresAt,
          key: artifactKey(id, artifact.fileType),
        });
      }
      case 'JobArtifactsKept':
        for (const { key } of await documents.findAll(jobArtifacts, eq('jobId', id)))
          documents.amend(jobArtifacts, key, { expiresAt: null });
        return change(documents, event);
      case 'JobArtifactDeleted':
        return documents.delete(jobArtifacts, artifactKey(id, event.data.fileType));
      case 'JobReset':
      case 'JobWaitsForResource':
      case 'JobQueued':
      case 'JobScheduled':
      case 'JobMadeManual':
      case 'JobSkipped':
      case 'JobStarted':
      case 'JobSucceeded':
      case 'JobFailed':
      case 'JobCanceled':
      case 'JobPlayed':
      case 'JobRetried':
      case 'JobLogArchived':
      case 'JobErased':
        return change(documents, event);
      default:
        event satisfies never;
    }
  },
});

type Changing = Recorded<
  Exclude<JobEvent, { type: 'JobCreated' | 'JobArtifactAdded' | 'JobArtifactDeleted' }>
>;

async function change(documents: ProjectionDocuments, event: Changing): Promise<void> {
  const job = await documents.get(jobs, event.data.jobId);
  if (!job) return;
  const { scheduledAt, exitCode, playedAt, erasedById, ...changes } = event.data
    .changes as Partial<JobRow> & {
    scheduledAt?: string | null;
  } & Readonly<Record<'exitCode' | 'playedAt' | 'erasedById', unknown>>;
  const changed = { ...job, ...changes };
  documents.amend(jobs, job.id, {
    ...changes,
    updatedAt: event.time,
    ...(changes.status !== undefined && { sweptAt: sweptAt(changed, scheduledAt ?? null) }),
  });
}

function created({ data, time }: Recorded<Extract<JobEvent, { type: 'JobCreated' }>>): JobRow {
  const { jobId: id, projectId, pipelineId, iid, name, stage, stageIndex, kind, when } = data;
  const { status, allowFailure, userId, tags, resourceGroup, timeoutSeconds, queuedAt, retryOf } = data;
  const job = {
    ...{ id, projectId, pipelineId, iid, name, stage, stageIndex, kind, when, status, allowFailure },
    isRetried: false,
    ...{ retryOf, userId, tags, resourceGroup, timeoutSeconds, queuedAt },
    retryMax: data.retry.max,
    environment: data.environment?.name ?? null,
    runnerId: null,
    coverage: null,
    failureReason: null,
    createdAt: time,
    updatedAt: time,
    startedAt: null,
    finishedAt: null,
    logSize: null,
    logSha256: null,
    erasedAt: null,
    artifactsKept: false,
  };
  return { ...job, sweptAt: sweptAt(job, data.scheduledAt) };
}
