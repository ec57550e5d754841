import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { settingNow } from '@forgelog/directory/settings.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { range } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import { jobArtifacts, jobs } from '../jobs/jobs.collection.ts';
import { actOn } from '../pipelines/pipeline-acts.ts';
import { isChild, type PipelineRow, pipelines } from '../pipelines/pipelines.projection.ts';
import { projectCiSettings } from '../project-settings/project-settings.projection.ts';

type SweepPorts = Pick<ServicePorts, 'readStore' | 'commands' | 'clock' | 'configuration' | 'directory'>;

const BATCH = 500;

/**
 * Deletes the artifacts of jobs that have expired, except in the newest pipeline of a branch or tag if it succeeded,
 * and in its children: downloads by ref go there. A project or the instance may want these deleted too. Safe to repeat, and to run in several processes.
 */
export async function deleteExpiredArtifacts(ports: SweepPorts, signal?: AbortSignal): Promise<void> {
  const { readStore, clock } = ports;
  const mayKeep = await settingNow(ports, 'keep_latest_artifact');
  const where = range('expiresAt', { lte: clock().toISOString() });
  for await (const expired of inBatches(readStore, jobArtifacts, { where, size: BATCH }))
    for (const jobId of new Set(expired.map((one) => one.jobId))) {
      signal?.throwIfAborted();
      const job = await readStore.get(jobs, jobId);
      const pipeline = job && (await readStore.get(pipelines, job.pipelineId));
      if (!pipeline) continue;
      const family = await parentOf(readStore, pipeline);
      const isLatest = mayKeep && family?.isNewest && family.status === 'success';
      if (isLatest && (await projectCiSettings(readStore, job.projectId)).keepsLatestArtifacts) continue;
      await actOn(ports, job, { type: 'DeleteArtifacts', jobId, reason: 'expired' }, SYSTEM_METADATA);
    }
}

/** The pipeline that a child and its children belong to; undefined once it is deleted. */
async function parentOf(readStore: ReadStore, pipeline: PipelineRow): Promise<PipelineRow | undefined> {
  let above: PipelineRow | undefined = pipeline;
  while (above && isChild(above) && above.parentPipelineId !== null)
    above = await readStore.get(pipelines, above.parentPipelineId);
  return above;
}

const SWEEP_EVERY_MS = 10 * 60_000;

export function expiredArtifactSweeper(ports: SweepPorts & Pick<ServicePorts, 'log'>): Worker {
  let next = 0;
  return createSweeper(ports, 'expired artifacts', async (signal) => {
    const now = ports.clock().getTime();
    if (now < next) return;
    await deleteExpiredArtifacts(ports, signal);
    next = now + SWEEP_EVERY_MS;
  });
}
