import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  type ErrorTrackingEvent,
  errorTrackingEvents,
} from '@forgelog/contracts/tracker/error-tracking/error-tracking.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/** Projects whose settings were ever set. */
export const errorTracking = defineCollection({
  name: 'error_tracking',
  key: 'projectId',
  fields: { projectId: 'integer', active: 'boolean', integrated: 'boolean' },
  indexes: [],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export const errorTrackingProjection = defineProjection<ErrorTrackingEvent>({
  name: 'error-tracking',
  collections: [errorTracking],
  handles: errorTrackingEvents.map(({ type }) => type),
  async project(event, documents) {
    if (event.type === 'ErrorTrackingCreated') return documents.put(errorTracking, event.data);
    const row = await documents.get(errorTracking, event.data.projectId);
    if (row) documents.put(errorTracking, { ...row, ...event.data.changes });
  },
});
