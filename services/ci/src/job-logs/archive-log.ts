import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { archivedLogKey, growingLogKey, newsKey } from '../objects/object-keys.ts';
import { pipelineDecider } from '../pipelines/pipeline.decider.ts';
import { pipelineStream } from '../pipelines/pipeline-state.ts';

interface JobOfPipeline {
  jobId: number;
  pipelineId: number;
  projectId: number;
  iid: number;
}

/** Stores the log of an ended job as one object, named by an event. Does nothing without a growing log. */
export async function archiveLog(
  { objects, commands, clock }: Pick<ServicePorts, 'objects' | 'commands' | 'clock'>,
  job: JobOfPipeline,
  metadata: EventMetadata,
): Promise<void> {
  const { jobId, projectId, iid } = job;
  await objects.delete(newsKey(job));
  const growing = await objects.get(growingLogKey(job));
  if (!growing) return;
  const { size, sha256 } = await objects.put((digest) => archivedLogKey(job, digest), growing.body);
  const command = { type: 'ArchiveLog' as const, projectId, iid, jobId, size, sha256 };
  const now = clock().toISOString();
  await commands
    .handle(pipelineDecider, pipelineStream(job), { ...command, now }, metadata)
    .catch((error: unknown) => {
      // The pipeline was deleted meanwhile; the policy of its deletion removes its objects.
      if (!(error instanceof Rejection)) throw error;
    });
  await objects.delete(growingLogKey(job));
}
