import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import { artifactKey, jobArtifacts, jobs } from '../jobs/jobs.collection.ts';
import { pipelines } from '../pipelines/pipelines.projection.ts';
import { type NamedObject, namedObject } from './object-keys.ts';

type SweepPorts = Pick<ServicePorts, 'objects' | 'readStore' | 'clock'>;

/** Longer than an upload takes with the append after it, and than read models are ever behind. */
const GRACE_MS = 24 * 3_600_000;

/** Removes objects that no record names, which a kill left behind, and parts of uploads that never ended. */
export async function removeUnnamedObjects(
  { objects, readStore, clock }: SweepPorts,
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(clock().getTime() - GRACE_MS);

  async function isNamed(object: NamedObject): Promise<boolean> {
    switch (object.kind) {
      case 'definitions':
        return (await readStore.get(pipelines, object.pipelineId))?.definitions === object.sha256;
      case 'log': {
        const job = await readStore.get(jobs, object.jobId);
        if (!job || job.erasedAt !== null) return false;
        return job.logSha256 === object.sha256;
      }
      case 'artifact': {
        const artifact = await readStore.get(jobArtifacts, artifactKey(object.jobId, object.fileType));
        return artifact?.sha256 === object.sha256;
      }
      default:
        return object satisfies never;
    }
  }

  await objects.clearUnfinished(before);
  for await (const { key, modifiedAt } of objects.list('projects/')) {
    signal?.throwIfAborted();
    if (modifiedAt >= before) continue;
    const object = namedObject(key);
    // Another part of the program may own a key of another form.
    if (object && !(await isNamed(object))) await objects.delete(key);
  }
}

const FIRST_SWEEP_MS = 10 * 60_000;
const SWEEP_EVERY_MS = 6 * 3_600_000;

export function unnamedObjectSweeper(ports: SweepPorts & Pick<ServicePorts, 'log'>): Worker {
  let next = ports.clock().getTime() + FIRST_SWEEP_MS;
  return createSweeper(ports, 'objects that no record names', async (signal) => {
    if (ports.clock().getTime() < next) return;
    await removeUnnamedObjects(ports, signal);
    next = ports.clock().getTime() + SWEEP_EVERY_MS;
  });
}
