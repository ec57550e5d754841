import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import {
  JobCanceled,
  JobCreated,
  type JobEvent,
  JobFailed,
  JobPlayed,
  JobReturned,
  JobStarted,
  JobSucceeded,
} from '@forgelog/contracts/ci/jobs/job.events.ts';
import { PipelineDeleted } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/** Jobs that have not ended, with the user as whom their token acts while they run. */
export const gatewayJobs = defineCollection({
  name: 'gateway_jobs',
  key: 'id',
  fields: {
    id: 'integer',
    pipelineId: 'integer',
    projectId: 'integer',
    actorId: 'integer?',
    isRunning: 'boolean',
  },
  indexes: [['pipelineId'], ['projectId'], ['actorId']],
  ownedBy: [
    endsWith(PipelineDeleted, ({ pipelineId }) => eq('pipelineId', pipelineId)),
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(UserDeleted, ({ userId }) => eq('actorId', userId)),
  ],
});

type Handled = Extract<
  JobEvent,
  {
    type:
      | 'JobCreated'
      | 'JobPlayed'
      | 'JobStarted'
      | 'JobReturned'
      | 'JobSucceeded'
      | 'JobFailed'
      | 'JobCanceled';
  }
>;

export const runningJobsProjection = defineProjection<Handled>({
  name: 'gateway-jobs',
  collections: [gatewayJobs],
  handles: [JobCreated, JobPlayed, JobStarted, JobReturned, JobSucceeded, JobFailed, JobCanceled].map(
    ({ type }) => type,
  ),
  async project({ type, data }, documents) {
    const { jobId: id, pipelineId, projectId } = data;
    switch (type) {
      case 'JobCreated':
        // Nobody runs a bridge.
        if (data.kind === 'bridge') return;
        return documents.put(gatewayJobs, {
          id,
          pipelineId,
          projectId,
          actorId: data.userId,
          isRunning: false,
        });
      case 'JobPlayed': {
        const { userId } = data.changes;
        const job = await documents.get(gatewayJobs, id);
        if (job && userId !== undefined) documents.put(gatewayJobs, { ...job, actorId: userId });
        return;
      }
      case 'JobStarted':
      case 'JobReturned': {
        const job = await documents.get(gatewayJobs, id);
        if (job) documents.put(gatewayJobs, { ...job, isRunning: type === 'JobStarted' });
        return;
      }
      case 'JobSucceeded':
      case 'JobFailed':
      case 'JobCanceled':
        return documents.delete(gatewayJobs, id);
      default:
        data satisfies never;
    }
  },
});
