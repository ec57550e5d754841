import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  type ClientKeyEvent,
  clientKeyEvents,
} from '@forgelog/contracts/tracker/error-tracking/client-key.events.ts';
import {
  clientKeyLifetime,
  trackedErrorLifetime,
} from '@forgelog/contracts/tracker/error-tracking/error-tracking.lifetime.ts';
import {
  type TrackedErrorEvent,
  trackedErrorEvents,
} from '@forgelog/contracts/tracker/error-tracking/tracked-error.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';
import { MESSAGE } from './reported-error.rules.ts';

export const clientKeyRows = defineCollection({
  name: 'error_tracking_client_keys',
  key: 'id',
  fields: { id: 'integer', projectId: 'integer' },
  indexes: [['projectId']],
  holds: { lifetime: clientKeyLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type ClientKeyRow = DocumentOf<typeof clientKeyRows>;

export const clientKeysProjection = defineProjection<ClientKeyEvent>({
  name: 'error-tracking-client-keys',
  collections: [clientKeyRows],
  handles: clientKeyEvents.map(({ type }) => type),
  async project({ type, data: { errorTrackingClientKeyId: id, projectId } }, documents) {
    if (type === 'ErrorTrackingClientKeyCreated') documents.put(clientKeyRows, { id, projectId });
    else documents.delete(clientKeyRows, id);
  },
});

export const trackedErrors = defineCollection({
  name: 'tracked_errors',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer',
    fingerprint: 'text',
    title: 'text',
    errorType: 'text',
    message: 'text',
    culprit: 'text',
    level: 'text',
    platform: 'text',
    environment: 'text?',
    release: 'text?',
    status: 'text',
    occurrences: 'integer',
    firstSeenAt: 'text',
    lastSeenAt: 'text',
    /** An `Occurrence`. */
    occurrence: 'json',
  },
  indexes: [
    ['projectId', 'fingerprint'],
    ['projectId', 'lastSeenAt'],
    ['projectId', 'firstSeenAt'],
    ['projectId', 'occurrences'],
    ['projectId', 'status', 'lastSeenAt'],
  ],
  search: ['title'],
  holds: { lifetime: trackedErrorLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type TrackedErrorRow = DocumentOf<typeof trackedErrors>;

export const trackedErrorsProjection = defineProjection<TrackedErrorEvent>({
  name: 'tracked-errors',
  collections: [trackedErrors],
  handles: trackedErrorEvents.map(({ type }) => type),
  async project(event, documents) {
    const { trackedErrorId: id } = event.data;
    switch (event.type) {
      case 'TrackedErrorCreated': {
        const { trackedErrorId: _, ...facts } = event.data;
        const { seenAt } = facts.occurrence;
        return documents.put(trackedErrors, {
          ...{ id, title: titleOf(facts), ...facts, status: 'unresolved', occurrences: 1 },
          ...{ firstSeenAt: seenAt, lastSeenAt: seenAt },
        });
      }
      case 'TrackedErrorSeen':
      case 'TrackedErrorReopened':
      case 'TrackedErrorUpdated': {
        const row = await documents.get(trackedErrors, id);
        if (!row) return;
        const { occurrence = row.occurrence } = event.data as { occurrence?: unknown };
        return documents.put(trackedErrors, { ...row, ...event.data.changes, occurrence });
      }
      case 'TrackedErrorDeleted':
        return documents.delete(trackedErrors, id);
      default:
        event satisfies never;
    }
  },
});

function titleOf({ errorType, message }: { errorType: string; message: string }): string {
  if (message === '') return errorType;
  return errorType === MESSAGE ? message : `${errorType}: ${message}`;
}
