import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/** What happened to the states, labels, milestones, weights and iterations of targets, as the log tells it. */
export const resourceEvents = defineCollection({
  name: 'resource_events',
  key: 'id',
  fields: {
    /** Counted up in the order of the log. */
    id: 'integer',
    kind: 'text',
    /** `targetKey` */
    target: 'text',
    targetType: 'text',
    targetId: 'integer',
    projectId: 'integer',
    /** null for the system. */
    actorId: 'integer?',
    /** The new state, or whether what it is about was added or removed. */
    word: 'text',
    labelId: 'integer?',
    milestoneId: 'integer?',
    iterationId: 'integer?',
    /** The new one, where it is about the weight; null where that was removed. */
    weight: 'integer?',
    createdAt: 'text',
  },
  indexes: [['target', 'kind', 'id'], ['projectId']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

/** One document: the last id given, and the position of the event that it was given to. */
export const resourceEventNumbering = defineCollection({
  name: 'resource_event_numbering',
  key: 'name',
  fields: { name: 'text', lastId: 'integer', position: 'text' },
  indexes: [],
});

export type ResourceEventRow = DocumentOf<typeof resourceEvents>;
