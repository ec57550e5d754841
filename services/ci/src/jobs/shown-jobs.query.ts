import { oneOf } from '@forgelog/eventing/query.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { type PipelineRow, pipelines } from '../pipelines/pipelines.projection.ts';
import type { CiPorts } from '../ports.ts';
import { shownRunner } from '../runners/runner.view.ts';
import { runners } from '../runners/runners.projection.ts';
import type { ShownJob } from './job.view.ts';
import { type JobRow, jobArtifacts } from './jobs.collection.ts';

/** Most kinds of artifacts a job can have: each kind once. */
const MOST_ARTIFACTS = 50;

/** Jobs of one project with what their answers show besides, in five reads for a page. */
export async function shownJobs(
  {
    readStore,
    commits,
    clock,
    runnerContacts,
  }: Pick<CiPorts, 'readStore' | 'commits' | 'clock' | 'runnerContacts'>,
  project: ProjectGrant,
  rows: readonly JobRow[],
): Promise<ShownJob[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const downstreams = rows
    .map(({ downstreamPipelineId }) => downstreamPipelineId)
    .filter((id) => id !== null);
  const pipelineIds = [...new Set(rows.map(({ pipelineId }) => pipelineId))];
  const limit = ids.length * MOST_ARTIFACTS;
  const runnerIds = [...new Set(rows.map(({ runnerId }) => runnerId).filter((id) => id !== null))];
  const [found, artifacts, started, runnersOfJobs] = await Promise.all([
    readStore.find(pipelines, { where: oneOf('id', pipelineIds), limit: pipelineIds.length }),
    readStore.find(jobArtifacts, { where: oneOf('jobId', ids), limit }),
    downstreams.length === 0
      ? []
      : readStore.find(pipelines, { where: oneOf('id', downstreams), limit: downstreams.length }),
    runnerIds.length === 0
      ? []
      : readStore.find(runners, { where: oneOf('id', runnerIds), limit: runnerIds.length }),
  ]);
  const known = await commits.of(
    project,
    found.map(({ sha }) => sha),
  );
  const byId = new Map<number, PipelineRow>(found.map((pipeline) => [pipeline.id, pipeline]));
  const runnerOf = new Map(runnersOfJobs.map((row) => [row.id, shownRunner(row, runnerContacts)]));
  const now = clock().toISOString();
  return rows.flatMap((row) => {
    const pipeline = byId.get(row.pipelineId);
    // Deleted between the reads.
    if (!pipeline) return [];
    return [
      {
        ...row,
        pipeline,
        commit: known.get(pipeline.sha) ?? null,
        artifacts: artifacts.filter(({ jobId }) => jobId === row.id),
        runner: runnerOf.get(row.runnerId ?? 0) ?? null,
        downstream: started.find(({ id }) => id === row.downstreamPipelineId) ?? null,
        now,
      },
    ];
  });
}
