import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import {
  type PipelineTriggerEvent,
  pipelineTriggerEvents,
} from '@forgelog/contracts/ci/pipeline-triggers/pipeline-trigger.events.ts';
import { pipelineTriggerLifetime } from '@forgelog/contracts/ci/pipeline-triggers/pipeline-trigger.lifetime.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const pipelineTriggers = defineCollection({
  name: 'pipeline_triggers',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer',
    ownerId: 'integer',
    description: 'text',
    tokenSha256: 'text',
    sealedToken: 'text',
    shortToken: 'text',
    createdAt: 'text',
    updatedAt: 'text',
    lastUsedAt: 'text?',
  },
  indexes: [['projectId'], ['ownerId'], ['tokenSha256']],
  holds: { lifetime: pipelineTriggerLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(UserDeleted, ({ userId }) => eq('ownerId', userId)),
  ],
});

export type PipelineTriggerRow = DocumentOf<typeof pipelineTriggers>;

export const pipelineTriggersProjection = defineProjection<PipelineTriggerEvent>({
  name: 'pipeline-triggers',
  collections: [pipelineTriggers],
  handles: pipelineTriggerEvents.map(({ type }) => type),
  async project(event, documents) {
    const { pipelineTriggerId: id } = event.data;
    switch (event.type) {
      case 'PipelineTriggerCreated': {
        const { pipelineTriggerId: _, ...trigger } = event.data;
        const times = { createdAt: event.time, updatedAt: event.time, lastUsedAt: null };
        return documents.put(pipelineTriggers, { id, ...trigger, ...times });
      }
      case 'PipelineTriggerUpdated': {
        const row = await documents.get(pipelineTriggers, id);
        if (row) documents.put(pipelineTriggers, { ...row, ...event.data.changes, updatedAt: event.time });
        return;
      }
      case 'PipelineTriggerUsed': {
        const row = await documents.get(pipelineTriggers, id);
        if (row) documents.put(pipelineTriggers, { ...row, ...event.data.changes });
        return;
      }
      case 'PipelineTriggerDeleted':
        return documents.delete(pipelineTriggers, id);
      default:
        event satisfies never;
    }
  },
});
