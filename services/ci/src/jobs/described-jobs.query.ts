import type { DescribedJob } from '@forgelog/contracts/ci/jobs/described-job.ts';
import { and, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { CiPorts } from '../ports.ts';
import { runners } from '../runners/runners.projection.ts';
import { type JobRow, jobArtifacts } from './jobs.collection.ts';

/** Jobs with what other services tell of them, in two reads. */
export async function describedJobs(
  { readStore }: Pick<CiPorts, 'readStore'>,
  rows: readonly JobRow[],
): Promise<DescribedJob[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const runnerIds = [...new Set(rows.flatMap(({ runnerId }) => runnerId ?? []))];
  const [archives, ran] = await Promise.all([
    readStore.find(jobArtifacts, {
      where: and(oneOf('jobId', ids), eq('fileType', 'archive')),
      limit: ids.length,
    }),
    runnerIds.length === 0
      ? []
      : readStore.find(runners, { where: oneOf('id', runnerIds), limit: runnerIds.length }),
  ]);
  const archiveOf = new Map(archives.map((archive) => [archive.jobId, archive]));
  const runnerOf = new Map(ran.map((runner) => [runner.id, runner]));
  return rows.map((row) => {
    const archive = archiveOf.get(row.id);
    const runner = runnerOf.get(row.runnerId ?? 0);
    const { id, projectId, pipelineId, name, stage, allowFailure, actorId } = row;
    const { createdAt, queuedAt, startedAt, finishedAt, environment, environmentAction } = row;
    return {
      ...{ id, projectId, pipelineId, name, stage, allowFailure, userId: actorId },
      ...{ createdAt, queuedAt, startedAt, finishedAt },
      kind: row.kind as DescribedJob['kind'],
      when: row.when as DescribedJob['when'],
      status: row.status as DescribedJob['status'],
      failureReason: row.failureReason as DescribedJob['failureReason'],
      environment: environment === null ? null : { name: environment, action: environmentAction ?? 'start' },
      runner: runner
        ? {
            ...{ id: runner.id, description: runner.description, runnerType: runner.runnerType },
            ...{ active: runner.active, tags: [...runner.tags] },
          }
        : null,
      archive: archive ? { filename: archive.filename, size: archive.size } : null,
    };
  });
}
