import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  type IntegrationEvent,
  integrationEvents,
} from '@forgelog/contracts/tracker/integrations/integration.events.ts';
import { integrationLifetime } from '@forgelog/contracts/tracker/integrations/integration.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const integrations = defineCollection({
  name: 'integrations',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer',
    slug: 'text',
    /** Names with texts or booleans. */
    properties: 'json',
    flagsOff: 'text[]',
    /** Address of the chat; null for an integration without one. */
    sealedWebhook: 'text?',
    /** Password for its receiver; null for an integration without one. */
    sealedPassword: 'text?',
    /** Switched off because its receiver failed. */
    disabled: 'boolean',
    createdAt: 'text',
    updatedAt: 'text',
  },
  indexes: [['projectId', 'slug']],
  holds: { lifetime: integrationLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type IntegrationRow = DocumentOf<typeof integrations>;

export const integrationsProjection = defineProjection<IntegrationEvent>({
  name: 'integrations',
  collections: [integrations],
  handles: integrationEvents.map(({ type }) => type),
  async project(event, documents) {
    const { integrationId: id } = event.data;
    const { time } = event;
    switch (event.type) {
      case 'IntegrationCreated': {
        const { integrationId: _, ...integration } = event.data;
        return documents.put(integrations, {
          ...{ id, ...integration, disabled: false, createdAt: time, updatedAt: time },
        });
      }
      case 'IntegrationUpdated':
      case 'IntegrationDisabled':
      case 'IntegrationEnabled': {
        const row = await documents.get(integrations, id);
        if (row) documents.put(integrations, { ...row, ...event.data.changes, updatedAt: time });
        return;
      }
      case 'IntegrationDeleted':
        return documents.delete(integrations, id);
      default:
        event satisfies never;
    }
  },
});
