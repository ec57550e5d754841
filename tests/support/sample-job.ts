import { artifactObject } from '@forgelog/ci/objects/object-keys.ts';
import { startPipeline } from '@forgelog/ci/testing/running-job.ts';
import { zipOf } from '@forgelog/ci/testing/sample-archive.ts';
import type { CallContext } from '../fixtures/fixture.ts';
import type { Forgelog } from './forgelog.ts';

export interface SampleJob {
  pipelineId: number;
  jobId: number;
  token: string;
  /** Leaves an archive with the file `a.txt`. */
  archive(): Promise<void>;
  end(): Promise<unknown>;
}

/** A pipeline of one job, `build`, which runs: made without a runner, for suites that need some job. */
export async function startJob(forgelog: Forgelog, projectId: number, ref = 'main'): Promise<SampleJob> {
  const ports = forgelog.portsOf('ci');
  const pipelineId = await ports.ids.next('pipeline');
  const jobId = await ports.ids.next('job');
  // Far from the numbers that the API gives.
  const iid = 100_000 + pipelineId;
  const now = ports.clock().toISOString();
  const pipeline = await startPipeline(ports, { projectId, pipelineId, iid, firstJobId: jobId, ref, now });
  const token = await pipeline.run(jobId);
  return {
    ...{ pipelineId, jobId, token },
    async archive() {
      const key = (sha256: string) => artifactObject({ projectId, pipelineId, jobId }, 'archive', sha256);
      const { size, sha256 } = await ports.objects.put(key, await zipOf({ 'a.txt': 'text' }));
      const file = {
        fileType: 'archive',
        fileFormat: 'zip',
        filename: 'artifacts.zip',
        size,
        sha256,
      } as const;
      await pipeline.act({ type: 'AddArtifact', jobId, ...file, expiresAt: '2100-01-01T00:00:00.000Z' });
    },
    end: () => pipeline.end(jobId),
  };
}

const jobs = new WeakMap<CallContext, Promise<SampleJob>>();

/** The running job of a call: its path, its token and its body are about the same one. */
export function jobOfCall(context: CallContext): Promise<SampleJob> {
  const { world, place } = context;
  const known = jobs.get(context) ?? startJob(world.forgelog, place.projectId);
  jobs.set(context, known);
  return known;
}
