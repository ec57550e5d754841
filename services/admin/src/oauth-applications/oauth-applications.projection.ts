import {
  type OauthApplicationEvent,
  oauthApplicationEvents,
} from '@forgelog/contracts/admin/oauth-applications/oauth-application.events.ts';
import { oauthApplicationLifetime } from '@forgelog/contracts/admin/oauth-applications/oauth-application.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { type DocumentOf, defineCollection } from '@forgelog/eventing/read-store.ts';

export const oauthApplications = defineCollection({
  name: 'oauth_applications',
  key: 'id',
  fields: { id: 'integer', clientId: 'text', name: 'text', redirectUris: 'text[]', confidential: 'boolean' },
  indexes: [],
  holds: { lifetime: oauthApplicationLifetime },
});

export type OauthApplicationRow = DocumentOf<typeof oauthApplications>;

export const oauthApplicationsProjection = defineProjection<OauthApplicationEvent>({
  name: 'oauth-applications',
  collections: [oauthApplications],
  handles: oauthApplicationEvents.map(({ type }) => type),
  async project(event, documents) {
    const { oauthApplicationId: id } = event.data;
    switch (event.type) {
      case 'OauthApplicationCreated': {
        const { clientId, name, redirectUris, confidential } = event.data;
        return documents.put(oauthApplications, { id, clientId, name, redirectUris, confidential });
      }
      case 'OauthApplicationDeleted':
        return documents.delete(oauthApplications, id);
      default:
        event satisfies never;
    }
  },
});
