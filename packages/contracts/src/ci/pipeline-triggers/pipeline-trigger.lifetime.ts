import { UserDeleted } from '../../admin/users/user.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import {
  PipelineTriggerCreated,
  PipelineTriggerDeleted,
  PipelineTriggerUpdated,
  PipelineTriggerUsed,
} from './pipeline-trigger.events.ts';

export const pipelineTriggerLifetime = defineLifetime({
  kind: 'PipelineTrigger',
  id: ['pipelineTriggerId'],
  begins: [begins(PipelineTriggerCreated, { fixed: { lastUsedAt: null } })],
  changes: changedBy(PipelineTriggerUpdated, PipelineTriggerUsed),
  ends: [
    endsWith(PipelineTriggerDeleted, ['pipelineTriggerId']),
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(UserDeleted, { ownerId: 'userId' }),
  ],
});
