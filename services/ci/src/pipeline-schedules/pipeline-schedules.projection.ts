import {
  type PipelineScheduleEvent,
  pipelineScheduleEvents,
} from '@forgelog/contracts/ci/pipeline-schedules/pipeline-schedule.events.ts';
import { pipelineScheduleLifetime } from '@forgelog/contracts/ci/pipeline-schedules/pipeline-schedule.lifetime.ts';
import { PipelineCreated } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
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
    /** The event of the last run, and the pipeline that it caused. */
    lastRunId: 'text?',
    lastPipelineId: 'integer?',
    createdAt: 'text',
    updatedAt: 'text',
  },
  indexes: [['projectId', 'active'], ['active', 'nextRunAt'], ['ownerId'], ['lastRunId']],
  holds: { lifetime: pipelineScheduleLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type PipelineScheduleRow = DocumentOf<typeof pipelineSchedules>;

export const pipelineSchedulesProjection = defineProjection<
  PipelineScheduleEvent | EventOf<typeof PipelineCreated>
>({
  name: 'pipeline-schedules',
  collections: [pipelineSchedules],
  handles: [...pipelineScheduleEvents, PipelineCreated].map(({ type }) => type),
  async project(event, documents) {
    if (event.type === 'PipelineCreated') {
      const { causeId, pipelineId } = event.data;
      if (causeId === null || event.data.source !== 'schedule') return;
      const where = eq('lastRunId', causeId);
      for (const { id } of await documents.find(pipelineSchedules, { where, limit: 1 }))
        documents.amend(pipelineSchedules, id, { lastPipelineId: pipelineId });
      return;
    }
    const { pipelineScheduleId: id } = event.data;
    const change = async (more: Partial<PipelineScheduleRow>) => {
      const row = await documents.get(pipelineSchedules, id);
      if (row) documents.put(pipelineSchedules, { ...row, ...more });
    };
    switch (event.type) {
      case 'PipelineScheduleCreated': {
        const { pipelineScheduleId: _, ...schedule } = event.data;
        const beginning = {
          sealedVariables: [],
          lastRunId: null,
          lastPipelineId: null,
          createdAt: event.time,
          updatedAt: event.time,
        };
        return documents.put(pipelineSchedules, { id, ...schedule, ...beginning });
      }
      case 'PipelineScheduleUpdated':
        return change({ ...event.data.changes, updatedAt: event.time });
      case 'PipelineScheduleRan':
        return change({ ...event.data.changes, lastRunId: event.id });
      case 'PipelineScheduleDeleted':
        return documents.delete(pipelineSchedules, id);
      default:
        event satisfies never;
    }
  },
});
