import {
  type PipelineScheduleEvent,
  pipelineScheduleEvents,
} from '@forgelog/contracts/ci/pipeline-schedules/pipeline-schedule.events.ts';
import { pipelineScheduleLifetime } from '@forgelog/contracts/ci/pipeline-schedules/pipeline-schedule.lifetime.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const pipelineSchedules = defineCollection({
  name: 'pipeline_schedules',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer',
    ownerId: 'integer',
    description: 'text',
    ref: 'text',
    cron: 'text',
    cronTimezone: 'text',
    active: 'boolean',
    nextRunAt: 'text?',
    /** `ScheduleVariable`s. */
    sealedVariables: 'json',
    createdAt: 'text',
    updatedAt: 'text',
  },
  indexes: [['projectId', 'active'], ['active', 'nextRunAt'], ['ownerId']],
  holds: { lifetime: pipelineScheduleLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type PipelineScheduleRow = DocumentOf<typeof pipelineSchedules>;

export const pipelineSchedulesProjection = defineProjection<PipelineScheduleEvent>({
  name: 'pipeline-schedules',
  collections: [pipelineSchedules],
  handles: pipelineScheduleEvents.map(({ type }) => type),
  async project(event, documents) {
    const { pipelineScheduleId: id } = event.data;
    const change = async (more: Partial<PipelineScheduleRow>) => {
      const row = await documents.get(pipelineSchedules, id);
      if (row) documents.put(pipelineSchedules, { ...row, ...more });
    };
    switch (event.type) {
      case 'PipelineScheduleCreated': {
        const { pipelineScheduleId: _, ...schedule } = event.data;
        const beginning = { sealedVariables: [], createdAt: event.time, updatedAt: event.time };
        return documents.put(pipelineSchedules, { id, ...schedule, ...beginning });
      }
      case 'PipelineScheduleUpdated':
        return change({ ...event.data.changes, updatedAt: event.time });
      case 'PipelineScheduleRan':
        return change(event.data.changes);
      case 'PipelineScheduleDeleted':
        return documents.delete(pipelineSchedules, id);
      default:
        event satisfies never;
    }
  },
});
