import { describeJob } from '@forgelog/contracts/ci/jobs/job.operations.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { describedRow } from '@forgelog/service-kit/described-record.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import { describedPipelineOf } from '../pipelines/pipeline.operations.ts';
import { pipelines } from '../pipelines/pipelines.projection.ts';
import type { CiPorts } from '../ports.ts';
import { describedJobs } from './described-jobs.query.ts';
import { jobs } from './jobs.collection.ts';

export function jobOperations(ports: CiPorts): OperationImplementation[] {
  return [
    implementOperation(describeJob, async ({ request }) => {
      const query = describedRow(request);
      const where = and(query.where, eq('kind', 'build'));
      const [row] = await ports.readStore.find(jobs, { ...query, where });
      const pipeline = row && (await ports.readStore.get(pipelines, row.pipelineId));
      if (!row || !pipeline) return { found: null };
      const [job] = await describedJobs(ports, [row]);
      return { found: { job: job!, pipeline: describedPipelineOf(pipeline) } };
    }),
  ];
}
