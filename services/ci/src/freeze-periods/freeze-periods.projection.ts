import { type FreezePeriodEvent, freezePeriodEvents } from '@forgelog/contracts/ci/freeze-period.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';
import { writeReadyJson } from '@forgelog/service-kit/ready-json.ts';

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
    /** Ready JSON of the answer [L90]. */
    body: 'text',
  },
  indexes: [['projectId', 'createdAt']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

interface Row {
  id: number;
  projectId: number | null;
  freezeStart: string | null;
  freezeEnd: string | null;
  cronTimezone: string | null;
  createdAt: string | null;
  updatedAt: string | null;
}

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
        return documents.put(
          freezePeriods,
          withBody({ id, projectId, freezeStart, freezeEnd, cronTimezone, ...times }),
        );
      }
      case 'FreezePeriodUpdated': {
        const row = await documents.get(freezePeriods, id);
        if (row)
          documents.put(freezePeriods, withBody({ ...row, ...event.data.changes, updatedAt: event.time }));
        return;
      }
      case 'FreezePeriodDeleted':
        return documents.delete(freezePeriods, id);
      default:
        event satisfies never;
    }
  },
});

function withBody(row: Row) {
  return {
    ...row,
    body: writeReadyJson({
      id: row.id,
      freeze_start: row.freezeStart,
      freeze_end: row.freezeEnd,
      cron_timezone: row.cronTimezone,
      created_at: row.createdAt,
      updated_at: row.updatedAt,
    }),
  };
}
