import type { PlannedJob } from '@forgelog/ci-config/pipeline.ts';
import { and, asc, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { type JobRow, jobArtifacts, jobs } from '../jobs/jobs.collection.ts';

export interface JobDependency {
  id: number;
  name: string;
  archive: { filename: string; size: number };
}

const MOST_JOBS = 1000;

/** Whether a job fetches the artifacts of another one of its pipeline. */
function wants({ needs, dependencies, stageIndex }: PlannedJob, other: JobRow): boolean {
  if (needs !== null) {
    const isNeeded = needs.some((need) => need.kind === 'job' && need.job === other.name && need.artifacts);
    return isNeeded && (dependencies?.includes(other.name) ?? true);
  }
  if (other.stageIndex >= stageIndex) return false;
  return dependencies?.includes(other.name) ?? true;
}

/** Earlier jobs whose archives a job gets. */
export async function dependenciesOf(
  planned: PlannedJob,
  pipelineId: number,
  readStore: ReadStore,
): Promise<JobDependency[]> {
  const where = and(eq('pipelineId', pipelineId), eq('isRetried', false));
  const all = await readStore.find(jobs, { where, sort: [asc('id')], limit: MOST_JOBS });
  const wanted = new Map(all.filter((job) => wants(planned, job)).map((job) => [job.id, job]));
  if (wanted.size === 0) return [];
  const archives = await readStore.find(jobArtifacts, {
    where: and(oneOf('jobId', [...wanted.keys()]), eq('fileType', 'archive')),
    limit: MOST_JOBS,
  });
  return archives.map(({ jobId, filename, size }) => ({
    id: jobId,
    name: wanted.get(jobId)!.name,
    archive: { filename, size },
  }));
}
