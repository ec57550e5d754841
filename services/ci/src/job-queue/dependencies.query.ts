import type { PlannedJob } from '@forgelog/ci-config/pipeline.ts';
import { and, asc, type Condition, eq, oneOf, range } from '@forgelog/eventing/query.ts';
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

/** Which jobs of a pipeline one may want, as far as a read model can tell; null for none. */
function candidatesFor({ needs, dependencies, stageIndex }: PlannedJob): Condition | null {
  if (needs !== null) {
    const named = needs.flatMap((need) => (need.kind === 'job' && need.artifacts ? [need.job] : []));
    return named.length > 0 ? oneOf('name', named) : null;
  }
  if (stageIndex === 0 || dependencies?.length === 0) return null;
  const before = range('stageIndex', { lt: stageIndex });
  return dependencies === null ? before : and(before, oneOf('name', dependencies));
}

export async function dependenciesOf(
  planned: PlannedJob,
  pipelineId: number,
  readStore: ReadStore,
): Promise<JobRow[]> {
  const candidates = candidatesFor(planned);
  if (!candidates) return [];
  const where = and(eq('pipelineId', pipelineId), eq('isRetried', false), candidates);
  const all = await readStore.find(jobs, { where, sort: [asc('id')], limit: MOST_JOBS });
  return all.filter((job) => wants(planned, job));
}

export async function archivesOf(
  dependencies: readonly JobRow[],
  readStore: ReadStore,
): Promise<JobDependency[]> {
  if (dependencies.length === 0) return [];
  const names = new Map(dependencies.map(({ id, name }) => [id, name]));
  const archives = await readStore.find(jobArtifacts, {
    where: and(oneOf('jobId', [...names.keys()]), eq('fileType', 'archive')),
    limit: names.size,
  });
  return archives.map(({ jobId, filename, size }) => ({
    id: jobId,
    name: names.get(jobId)!,
    archive: { filename, size },
  }));
}
