import {
  type DescribedPipeline,
  describePipeline,
  findPipelineOfCommit,
} from '@forgelog/contracts/ci/pipelines/pipeline.operations.ts';
import type { CiStatus } from '@forgelog/contracts/ci/pipelines/pipeline-statuses.ts';
import { grantProject } from '@forgelog/directory/authorizer.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { describedRow } from '@forgelog/service-kit/described-record.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import { describedJobs } from '../jobs/described-jobs.query.ts';
import { jobs } from '../jobs/jobs.collection.ts';
import type { CiPorts } from '../ports.ts';
import { givenVariables } from './given-variables.ts';
import { isPipelineReader } from './pipeline.access.ts';
import { newestPipeline, type PipelineRow, pipelines } from './pipelines.projection.ts';

/** A pipeline that other systems report to has so many. */
const MOST_JOBS = 5000;

export function pipelineOperations(ports: CiPorts): OperationImplementation[] {
  const { directory, readStore } = ports;
  const given = givenVariables(ports);
  return [
    implementOperation(findPipelineOfCommit, async ({ request: { projectId, sha }, principal }) => {
      const project = await directory.project(projectId);
      const grant = project && (await grantProject(project, principal, directory));
      if (!grant?.can('builds') || !(await isPipelineReader(readStore, grant))) return { pipeline: null };
      const row = await newestPipeline(readStore, { projectId, sha });
      if (!row) return { pipeline: null };
      const { id, iid, status, ref, createdAt, updatedAt } = row;
      return {
        pipeline: { id, iid, projectId, status: status as CiStatus, ref, sha, createdAt, updatedAt },
      };
    }),

    implementOperation(describePipeline, async ({ request }) => {
      const [row] = await readStore.find(pipelines, describedRow(request));
      if (!row) return { pipeline: null };
      const where = and(eq('pipelineId', row.id), eq('isRetried', false));
      const found = await readStore.find(jobs, { where, sort: [asc('id')], limit: MOST_JOBS });
      const variables = given.open(row, row.sealedVariables).map(({ key, value }) => ({ key, value }));
      return {
        pipeline: { ...describedPipelineOf(row), variables, jobs: await describedJobs(ports, found) },
      };
    }),
  ];
}

export function describedPipelineOf(row: PipelineRow): DescribedPipeline {
  const { id, iid, projectId, ref, sha, beforeSha, stages, actorId, createdAt, updatedAt } = row;
  const { startedAt, finishedAt, duration, queuedDuration } = row;
  return {
    ...{ id, iid, projectId, ref, sha, beforeSha, userId: actorId, createdAt, updatedAt },
    ...{ startedAt, finishedAt, duration, queuedDuration },
    stages: [...stages],
    status: row.status as CiStatus,
    refKind: row.refKind as DescribedPipeline['refKind'],
    source: row.source as DescribedPipeline['source'],
  };
}
