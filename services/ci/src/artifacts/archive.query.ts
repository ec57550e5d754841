import { Rejection } from '@forgelog/contracts/errors.ts';
import { and, desc, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { artifactKey, type JobArtifactRow, jobArtifacts, jobs } from '../jobs/jobs.collection.ts';
import { NO_CHILD, pipelines } from '../pipelines/pipelines.projection.ts';

/** The archive of a job. @throws 404 */
export async function archiveOf(readStore: ReadStore, jobId: number): Promise<JobArtifactRow> {
  const archive = await readStore.get(jobArtifacts, artifactKey(jobId, 'archive'));
  if (!archive) throw new Rejection('record_not_found');
  return archive;
}

/** Child pipelines have children too; deeper ones cannot be created. */
const MOST_GENERATIONS = 3;
const MOST_PIPELINES = 1000;
const MOST_RETRIES = 100;

/**
 * The archive of a job of the newest pipeline of a branch or tag that succeeded. The pipeline itself is searched
 * first, then its children, then theirs [L292]. @throws 404
 */
export async function newestArchive(
  readStore: ReadStore,
  { projectId, ref, job }: { projectId: number; ref: string; job: string },
): Promise<JobArtifactRow> {
  const [newest] = await readStore.find(pipelines, {
    where: and(
      eq('projectId', projectId),
      eq('ref', ref),
      eq('status', 'success'),
      NO_CHILD,
      oneOf('refKind', ['branch', 'tag']),
    ),
    sort: [desc('id')],
    limit: 1,
  });
  let generation = newest ? [newest.id] : [];
  for (let left = MOST_GENERATIONS; left > 0 && generation.length > 0; left -= 1) {
    const found = await readStore.find(jobs, {
      where: and(oneOf('pipelineId', generation), eq('name', job), eq('status', 'success')),
      sort: [desc('id')],
      limit: MOST_RETRIES,
    });
    for (const { id } of found) {
      const archive = await readStore.get(jobArtifacts, artifactKey(id, 'archive'));
      if (archive) return archive;
    }
    const children = await readStore.find(pipelines, {
      where: and(oneOf('parentPipelineId', generation), eq('projectId', projectId)),
      sort: [desc('id')],
      limit: MOST_PIPELINES,
    });
    generation = children.map(({ id }) => id);
  }
  throw new Rejection('record_not_found');
}
