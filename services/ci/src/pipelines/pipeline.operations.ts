import { findPipelineOfCommit } from '@forgelog/contracts/ci/pipelines/pipeline.operations.ts';
import type { CiStatus } from '@forgelog/contracts/ci/pipelines/pipeline-statuses.ts';
import { grantProject } from '@forgelog/directory/authorizer.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import type { CiPorts } from '../ports.ts';
import { isPipelineReader } from './pipeline.access.ts';
import { newestPipeline } from './pipelines.projection.ts';

export function pipelineOperations({ directory, readStore }: CiPorts): OperationImplementation[] {
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
  ];
}
