import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { PipelineCreated, PipelineDeleted, PipelineStatusChanged } from './pipeline.events.ts';

export const pipelineLifetime = defineLifetime({
  kind: 'Pipeline',
  id: ['pipelineId'],
  begins: [
    begins(PipelineCreated, {
      fixed: {
        status: 'created',
        startedAt: null,
        finishedAt: null,
        duration: null,
        queuedDuration: null,
        coverage: null,
      },
    }),
  ],
  changes: changedBy(PipelineStatusChanged),
  ends: [endsWith(PipelineDeleted, ['pipelineId']), endsWith(ProjectDeleted, ['projectId'])],
});
