import { JobCanceled, JobFailed, JobSucceeded } from '@forgelog/contracts/ci/jobs/job.events.ts';
import { JobArtifactDeleted, JobErased } from '@forgelog/contracts/ci/jobs/job-storage.events.ts';
import { PipelineDeleted } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { deleteBelow } from '@forgelog/object-store/delete-below.ts';
import { archiveLog } from '../job-logs/archive-log.ts';
import { artifactObjects, growingLogKey, pipelineObjects, projectObjects } from './object-keys.ts';

/** Objects follow the log: a log is archived when its job ends, and what is deleted is removed. Safe to repeat. */
export function jobObjectPolicies(ports: ServicePorts): Policy[] {
  const remove = (prefix: string, signal: AbortSignal) => deleteBelow(ports.objects, prefix, signal);

  return [
    definePolicy({
      name: 'keep-objects-of-jobs',
      handles: [
        JobSucceeded,
        JobFailed,
        JobCanceled,
        JobArtifactDeleted,
        JobErased,
        PipelineDeleted,
        ProjectDeleted,
      ],
      actsAs: 'system',
      async react({ type: kind, data }, { metadata, signal }) {
        switch (kind) {
          case 'JobSucceeded':
          case 'JobFailed':
          case 'JobCanceled':
            // No other job has written a log.
            if (data.previous?.status === 'running') await archiveLog(ports, data, metadata);
            return;
          case 'JobArtifactDeleted':
            return remove(artifactObjects(data, data.fileType), signal);
          case 'JobErased':
            return remove(growingLogKey(data), signal);
          case 'PipelineDeleted':
            return remove(pipelineObjects(data), signal);
          case 'ProjectDeleted':
            return remove(projectObjects(data.projectId), signal);
          default:
            kind satisfies never;
        }
      },
    }),
  ];
}
