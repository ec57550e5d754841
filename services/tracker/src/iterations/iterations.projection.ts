import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import {
  IterationCadenceDeleted,
  type IterationEvent,
  iterationEvents,
} from '@forgelog/contracts/tracker/iterations/iteration.events.ts';
import {
  iterationCadenceLifetime,
  iterationLifetime,
} from '@forgelog/contracts/tracker/iterations/iteration.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const iterationCadences = defineCollection({
  name: 'iteration_cadences',
  key: 'id',
  fields: {
    id: 'integer',
    groupId: 'integer',
    title: 'text',
    description: 'text?',
    startDate: 'text?',
    durationInWeeks: 'integer?',
    iterationsInAdvance: 'integer?',
    automatic: 'boolean',
    active: 'boolean',
    rollOver: 'boolean',
    createdAt: 'text',
    updatedAt: 'text',
  },
  indexes: [['groupId', 'title'], ['active']],
  search: ['title'],
  holds: { lifetime: iterationCadenceLifetime },
  ownedBy: [endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId))],
});

export type IterationCadenceRow = DocumentOf<typeof iterationCadences>;

/** Whether one is upcoming, current or closed is a matter of its days. */
export const iterations = defineCollection({
  name: 'iterations',
  key: 'id',
  fields: {
    id: 'integer',
    iid: 'integer',
    cadenceId: 'integer',
    groupId: 'integer',
    title: 'text?',
    description: 'text?',
    startDate: 'text',
    dueDate: 'text',
    hasEnded: 'boolean',
    createdAt: 'text',
    updatedAt: 'text',
  },
  indexes: [
    ['groupId', 'startDate'],
    ['cadenceId', 'startDate'],
    ['hasEnded', 'dueDate'],
  ],
  search: ['title'],
  holds: { lifetime: iterationLifetime },
  ownedBy: [
    endsWith(IterationCadenceDeleted, ({ cadenceId }) => eq('cadenceId', cadenceId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export type IterationRow = DocumentOf<typeof iterations>;

export const iterationsProjection = defineProjection<IterationEvent>({
  name: 'iterations',
  collections: [iterationCadences, iterations],
  handles: iterationEvents.map(({ type }) => type),
  async project(event, documents) {
    const { time } = event;
    const begun = { createdAt: time, updatedAt: time };
    switch (event.type) {
      case 'IterationCadenceCreated': {
        const { cadenceId: id, ...cadence } = event.data;
        return documents.put(iterationCadences, { id, ...cadence, ...begun });
      }
      case 'IterationCadenceUpdated': {
        const row = await documents.get(iterationCadences, event.data.cadenceId);
        return row && documents.put(iterationCadences, { ...row, ...event.data.changes, updatedAt: time });
      }
      case 'IterationCadenceDeleted':
        return documents.delete(iterationCadences, event.data.cadenceId);
      case 'IterationCreated': {
        const { iterationId: id, ...iteration } = event.data;
        return documents.put(iterations, { id, ...iteration, ...begun });
      }
      case 'IterationUpdated': {
        const row = await documents.get(iterations, event.data.iterationId);
        return row && documents.put(iterations, { ...row, ...event.data.changes, updatedAt: time });
      }
      case 'IterationDeleted':
        return documents.delete(iterations, event.data.iterationId);
      default:
        event satisfies never;
    }
  },
});
