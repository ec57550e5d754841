import {
  type EnvironmentEvent,
  environmentEvents,
} from '@forgelog/contracts/ci/environments/environment.events.ts';
import { environmentLifetime } from '@forgelog/contracts/ci/environments/environment.lifetime.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const environments = defineCollection({
  name: 'environments',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer',
    name: 'text',
    slug: 'text',
    externalUrl: 'text?',
    state: 'text',
    createdAt: 'text',
    updatedAt: 'text',
    /** Scheduled time of deletion; null for never. */
    deletionDueAt: 'text?',
    /** The event that scheduled the deletion. */
    deletionScheduledBy: 'text?',
    /** When it is stopped by itself; null for never. */
    autoStopAt: 'text?',
    /** The job that stops it, as the pipeline of the last deployment has it. */
    stopPipelineIid: 'integer?',
    stopJob: 'text?',
  },
  indexes: [
    ['projectId', 'name'],
    ['projectId', 'state', 'createdAt'],
    ['deletionDueAt'],
    ['state', 'autoStopAt'],
  ],
  search: ['name'],
  holds: { lifetime: environmentLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type EnvironmentRow = DocumentOf<typeof environments>;

export const environmentsProjection = defineProjection<EnvironmentEvent>({
  name: 'environments',
  collections: [environments],
  handles: environmentEvents.map(({ type }) => type),
  async project(event, documents) {
    const change = async (id: number, changes: Partial<EnvironmentRow>) => {
      const row = await documents.get(environments, id);
      if (row) documents.put(environments, { ...row, ...changes, updatedAt: event.time });
    };
    switch (event.type) {
      case 'EnvironmentCreated': {
        const { environmentId: id, projectId, name, slug, externalUrl } = event.data;
        const beginning = {
          state: 'available',
          createdAt: event.time,
          updatedAt: event.time,
          deletionDueAt: null,
          deletionScheduledBy: null,
          ...{ autoStopAt: null, stopPipelineIid: null, stopJob: null },
        };
        return documents.put(environments, { id, projectId, name, slug, externalUrl, ...beginning });
      }
      case 'EnvironmentUpdated':
        return change(event.data.environmentId, event.data.changes);
      case 'EnvironmentDeployed':
        return change(event.data.environmentId, event.data.changes);
      case 'EnvironmentStopped':
        return change(event.data.environmentId, { state: 'stopped' });
      case 'EnvironmentDeletionScheduled':
        return change(event.data.environmentId, {
          deletionDueAt: event.data.dueAt,
          deletionScheduledBy: event.id,
        });
      case 'EnvironmentDeleted':
        return documents.delete(environments, event.data.environmentId);
      default:
        event satisfies never;
    }
  },
});
