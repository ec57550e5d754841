import type { Variable } from '@forgelog/ci-config/variables/variable.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { ObjectStore } from '@forgelog/object-store/object-store.ts';
import { collect } from '@forgelog/service-kit/request-body.ts';
import { type JobArtifactRow, jobArtifacts } from '../jobs/jobs.collection.ts';
import { artifactObject } from '../objects/object-keys.ts';
import { DOTENV_LIMITS, readDotenv, tooBig } from './dotenv.ts';

type Report = Pick<
  JobArtifactRow,
  'projectId' | 'pipelineId' | 'jobId' | 'fileType' | 'fileFormat' | 'sha256' | 'size'
>;

export async function dotenvOf(objects: ObjectStore, report: Report): Promise<ReadonlyMap<string, string>> {
  if (report.size > DOTENV_LIMITS.packedBytes) throw tooBig();
  const key = artifactObject(report, report.fileType, report.sha256);
  const found = await objects.get(key);
  if (!found) throw new Error(`the object ${key} is missing: restore the objects of the log`);
  return readDotenv(await collect(found.body, DOTENV_LIMITS.packedBytes), report.fileFormat);
}

/** What dotenv reports of these jobs tell; of equal keys, that of the newest job. */
export async function dotenvVariables(
  { objects, readStore }: Pick<ServicePorts, 'objects' | 'readStore'>,
  jobIds: readonly number[],
): Promise<Variable[]> {
  if (jobIds.length === 0) return [];
  const reports = await readStore.find(jobArtifacts, {
    where: and(oneOf('jobId', jobIds), eq('fileType', 'dotenv')),
    sort: [asc('jobId')],
    limit: jobIds.length,
  });
  const found = new Map<string, string>();
  for (const report of reports)
    for (const [key, value] of await dotenvOf(objects, report)) found.set(key, value);
  return [...found].map(([key, value]) => ({ key, value, public: false, masked: false, file: false }));
}
