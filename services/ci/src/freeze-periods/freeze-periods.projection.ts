import {
  type FreezePeriodEvent,
  freezePeriodEvents,
} from '@forgelog/contracts/ci/freeze-periods/freeze-period.events.ts';
import { freezePeriodLifetime } from '@forgelog/contracts/ci/freeze-periods/freeze-period.lifetime.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const freezePeriods = defineCollection({
  name: 'freeze_periods',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer',
    freezeStart: 'text',
    freezeEnd: 'text',
    cronTimezone: 'text',
    createdAt: 'text',
    updatedAt: 'text',
  },
  indexes: [['projectId', 'createdAt']],
  holds: { lifetime: freezePeriodLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type FreezePeriodRow = DocumentOf<typeof freezePeriods>;

export const freezePeriodsProjection = defineProjection<FreezePeriodEvent>({
  name: 'freeze-periods',
  collections: [freezePeriods],
  handles: freezePeriodEvents.map(({ type }) => type),
  async project(event, documents) {
    const { freezePeriodId: id, projectId } = event.data;
    switch (event.type) {
      case 'FreezePeriodCreated': {
        const { freezeStart, freezeEnd, cronTimezone } = event.data;
        const times = { createdAt: event.time, updatedAt: event.time };
        return documents.put(freezePeriods, {
          ...{ id, projectId, freezeStart, freezeEnd, cronTimezone },
          ...times,
        });
      }
      case 'FreezePeriodUpdated': {
        const row = await documents.get(freezePeriods, id);
        if (row) documents.put(freezePeriods, { ...row, ...event.data.changes, updatedAt: event.time });
        return;
      }
      case 'FreezePeriodDeleted':
        return documents.delete(freezePeriods, id);
      default:
        event satisfies never;
    }
  },
});
