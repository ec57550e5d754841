import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { createObjectSweeper, removeUnnamed } from '@forgelog/service-kit/object-sweeper.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { artifactKey, jobArtifacts, jobs } from '../jobs/jobs.collection.ts';
import { pipelines } from '../pipelines/pipelines.projection.ts';
import { type NamedObject, namedObject } from './object-keys.ts';

type SweepPorts = Pick<ServicePorts, 'objects' | 'readStore' | 'clock'>;

/** Removes objects that no record names, which a kill left behind. */
export async function removeUnnamedObjects(ports: SweepPorts, signal?: AbortSignal): Promise<void> {
  const { readStore } = ports;

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

  const isKept = async (key: string) => {
    const object = namedObject(key);
    // Another part of the program may own a key of another form.
    return object === undefined || (await isNamed(object));
  };
  await removeUnnamed(ports, 'projects/', isKept, signal);
}

export const unnamedObjectSweeper = (ports: SweepPorts & Pick<ServicePorts, 'log'>): Worker =>
  createObjectSweeper(ports, 'objects that no record names', (signal) => removeUnnamedObjects(ports, signal));
