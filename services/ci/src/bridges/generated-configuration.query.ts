import { and, desc, eq } from '@forgelog/eventing/query.ts';
import { collect } from '@forgelog/service-kit/request-body.ts';
import { findInArchive } from '../artifacts/archive-file.ts';
import { artifactKey, jobArtifacts, jobs } from '../jobs/jobs.collection.ts';
import { artifactObject } from '../objects/object-keys.ts';
import type { PipelineRow } from '../pipelines/pipelines.projection.ts';
import type { CiPorts } from '../ports.ts';

/** The compiler refuses more characters. */
const MAX_BYTES = 1024 * 1024;

/**
 * The text of a file that a job of the pipeline made; null if there is none.
 * @throws UnreadableArchiveError, Rejection for a file that is too large
 */
export async function generatedConfiguration(
  { objects, readStore }: Pick<CiPorts, 'objects' | 'readStore'>,
  pipeline: PipelineRow,
  { path, job: name }: { path: string; job: string },
): Promise<string | null> {
  const where = and(eq('pipelineId', pipeline.id), eq('name', name), eq('isRetried', false));
  const [job] = await readStore.find(jobs, { where, sort: [desc('id')], limit: 1 });
  const archive = job && (await readStore.get(jobArtifacts, artifactKey(job.id, 'archive')));
  if (!archive) return null;
  const key = artifactObject(archive, archive.fileType, archive.sha256);
  const file = await findInArchive(objects, { key, size: archive.size }, path);
  return file && (await collect(await file.open(), MAX_BYTES)).toString('utf8');
}
