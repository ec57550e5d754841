import { type JobEvent, jobEvents } from '@forgelog/contracts/ci/jobs/job.events.ts';
import { PipelineCreated } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import { defineProjection, type Recorded } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { artifactKey, type JobRow, jobArtifacts, jobs } from './jobs.collection.ts';
import { sweptAt } from './overdue.ts';

export const jobsProjection = defineProjection<JobEvent | EventOf<typeof PipelineCreated>>({
  name: 'jobs',
  collections: [jobs, jobArtifacts],
  handles: [...jobEvents, PipelineCreated].map(({ type }) => type),
  async project(event, documents) {
    if (event.type === 'PipelineCreated') return started(documents, event.data);
    const { jobId: id } = event.data;
    switch (event.type) {
      case 'JobCreated':
        return documents.put(jobs, created(event, await originalOf(documents, event)));
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
      case 'JobPlayed':
        return change(documents, event, { sealedVariables: event.data.sealedVariables });
      default:
        return change(documents, event);
    }
  },
});

async function started(
  documents: ProjectionDocuments,
  { parent, projectId, pipelineId }: EventOf<typeof PipelineCreated>['data'],
): Promise<void> {
  const bridge = parent && (await documents.get(jobs, parent.jobId));
  if (bridge?.kind !== 'bridge') return;
  documents.amend(jobs, bridge.id, { downstreamProjectId: projectId, downstreamPipelineId: pipelineId });
}

type Changing = Recorded<
  Exclude<JobEvent, { type: 'JobCreated' | 'JobArtifactAdded' | 'JobArtifactDeleted' }>
>;

/** Values of a change that the collection does not have under their names, or not at all. */
interface OtherValues {
  userId?: number | null;
  scheduledAt?: string | null;
  exitCode?: number | null;
  playedAt?: string | null;
  erasedById?: number | null;
}

async function change(
  documents: ProjectionDocuments,
  event: Changing,
  besides: Partial<JobRow> = {},
): Promise<void> {
  const job = await documents.get(jobs, event.data.jobId);
  if (!job) return;
  const told = event.data.changes as Partial<JobRow> & OtherValues;
  const { userId, scheduledAt = null, exitCode, playedAt, erasedById, ...changes } = told;
  documents.amend(jobs, job.id, {
    ...changes,
    ...besides,
    updatedAt: event.time,
    ...(userId !== undefined && { actorId: userId }),
    ...(changes.status !== undefined && { sweptAt: sweptAt({ ...job, ...changes }, scheduledAt) }),
    ...(job.resourceGroup !== null && event.type === 'JobQueued' && { grantedAt: event.position }),
  });
}

type Created = Recorded<Extract<JobEvent, { type: 'JobCreated' }>>;

const originalOf = async (documents: ProjectionDocuments, { data: { retryOf } }: Created) =>
  retryOf === null ? undefined : documents.get(jobs, retryOf);

function created({ data, time }: Created, original: JobRow | undefined): JobRow {
  const { jobId: id, projectId, pipelineId, iid, name, stage, stageIndex, kind, when } = data;
  const { status, allowFailure, tags, resourceGroup, timeoutSeconds, queuedAt, retryOf } = data;
  const job = {
    ...{ id, projectId, pipelineId, iid, name, stage, stageIndex, kind, when, status, allowFailure },
    isRetried: false,
    ...{ retryOf, actorId: data.userId, tags, resourceGroup, timeoutSeconds, queuedAt },
    retryMax: data.retry.max,
    environment: data.environment?.name ?? null,
    environmentAction: data.environment?.action ?? null,
    sealedVariables: original?.sealedVariables ?? null,
    grantedAt: null,
    runnerId: null,
    downstreamProjectId: null,
    downstreamPipelineId: null,
    coverage: null,
    targetUrl: null,
    description: null,
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
