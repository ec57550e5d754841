import { JOB_ARTIFACTS_KEPT, type JobArtifactAdded } from '@forgelog/contracts/ci/jobs/job-storage.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import { isFinished } from './job-transitions.ts';
import type { PipelineDraft } from './pipeline-draft.ts';
import type { Job } from './pipeline-state.ts';

/* What jobs leave in the object store. Objects are written before these events, and removed after them. */

export type NewArtifact = Omit<
  EventOf<typeof JobArtifactAdded>['data'],
  'jobId' | 'pipelineId' | 'projectId' | 'iid'
>;

/** Uploading the same file again changes nothing. @throws Rejection for a job that does not run */
export function addArtifact(draft: PipelineDraft, jobId: number, artifact: NewArtifact): void {
  const job = draft.job(jobId);
  if (job.status !== 'running') throw new Rejection('forbidden', { reason: 'Job is not running' });
  const { fileType, fileFormat, filename, size, sha256, expiresAt } = artifact;
  const present = job.artifacts.find((other) => other.fileType === fileType);
  if (present?.sha256 === sha256) return;
  if (present)
    throw new Rejection('bad_request', { reason: 'another artifact of the same type already exists' });
  const ids = { jobId, ...draft.ids };
  const data = { ...ids, fileType, fileFormat, filename, size, sha256, expiresAt };
  draft.emit({ type: 'JobArtifactAdded', data });
}

/** @throws Rejection for a job without artifacts */
export function keepArtifacts(draft: PipelineDraft, jobId: number): void {
  const job = draft.job(jobId);
  if (job.artifacts.length === 0) throw new Rejection('record_not_found');
  if (job.artifactsKept) return;
  draft.emit({ type: 'JobArtifactsKept', data: { jobId, ...draft.ids, ...JOB_ARTIFACTS_KEPT } });
}

/** Nothing for a job without artifacts, or with kept ones if they expire. */
export function deleteArtifacts(
  draft: PipelineDraft,
  jobId: number,
  reason: 'deleted' | 'expired' | 'erased',
): void {
  const { artifacts, artifactsKept } = draft.job(jobId);
  if (artifacts.length === 0 || (reason === 'expired' && artifactsKept)) return;
  for (const { fileType } of artifacts)
    draft.emit({ type: 'JobArtifactDeleted', data: { jobId, ...draft.ids, fileType, reason } });
}

/** A log is archived once. Nothing for a job that has not ended, or was erased. */
export function archiveLog(
  draft: PipelineDraft,
  jobId: number,
  { size, sha256 }: { size: number; sha256: string },
): void {
  const job = draft.job(jobId);
  if (!isFinished(job) || job.erasedAt !== null || job.logSha256 !== null) return;
  draft.change('JobLogArchived', job, { logSize: size, logSha256: sha256 });
}

const isErasable = (job: Job) => isFinished(job) && job.startedAt !== null && job.erasedAt === null;

/** @throws Rejection for a job that left nothing, or was erased before */
export function eraseJob(draft: PipelineDraft, jobId: number, userId: number): void {
  if (!isErasable(draft.job(jobId))) throw new Rejection('forbidden', { reason: 'Job is not erasable!' });
  deleteArtifacts(draft, jobId, 'erased');
  const erased = { erasedAt: draft.now, erasedById: userId, logSize: null, logSha256: null };
  draft.change('JobErased', draft.job(jobId), erased);
}
