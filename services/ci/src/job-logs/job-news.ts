import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import type { JobRow } from '../jobs/jobs.collection.ts';
import { growingLogKey, type JobPlace, newsKey } from '../objects/object-keys.ts';

const MOST_JOBS = 100_000;
const WRITTEN_PER_BOUND = 4;

type Ports = Pick<ServicePorts, 'objects' | 'clock' | 'configuration' | 'log'>;

export type JobNews = ReturnType<typeof createJobNews>;

/**
 * When agents last said something of their jobs. It is no event, and what another replica hears counts: pieces of a log
 * tell it by themselves, all else by the time of an empty object beside the log.
 */
export function createJobNews({ objects, clock, configuration, log }: Ports) {
  const boundMs = configuration.CI_SILENT_JOB_MINUTES * 60_000;
  const writtenAt = createLru<number, number>(MOST_JOBS);

  return {
    boundMs,
    /** A short job has no object: its start is news enough. */
    async heard({ id: jobId, startedAt, ...place }: JobRow): Promise<void> {
      const now = clock().getTime();
      const before = writtenAt.get(jobId) ?? Date.parse(startedAt!);
      if (now - before < boundMs / WRITTEN_PER_BOUND) return;
      writtenAt.set(jobId, now);
      await objects.put(newsKey({ jobId, ...place }), new Uint8Array()).catch((error: unknown) => {
        writtenAt.delete(jobId);
        log.warn({ err: error, jobId }, 'news of a job could not be written');
      });
    },
    async newest(job: JobPlace): Promise<number | null> {
      const found = await Promise.all([objects.stat(growingLogKey(job)), objects.stat(newsKey(job))]);
      const times = found.map((facts) => facts?.modifiedAt.getTime() ?? 0);
      return Math.max(...times) || null;
    },
  };
}
