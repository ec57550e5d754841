import {
  type OauthApplicationEvent,
  oauthApplicationEvents,
} from '@forgelog/contracts/admin/oauth-applications/oauth-application.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection } from '@forgelog/eventing/read-store.ts';

/** The gateway's own copy of applications, which present themselves to it. */
export const gatewayOauthClients = defineCollection({
  name: 'gateway_oauth_clients',
  key: 'clientId',
  fields: {
    ...{ clientId: 'text', oauthApplicationId: 'integer', name: 'text', redirectUris: 'text[]' },
    ...{ scopes: 'text[]', confidential: 'boolean', secretSha256: 'text' },
  },
  indexes: [['oauthApplicationId']],
});

export type GatewayOauthClient = DocumentOf<typeof gatewayOauthClients>;

export const oauthClientsProjection = defineProjection<OauthApplicationEvent>({
  name: 'gateway-oauth-clients',
  collections: [gatewayOauthClients],
  handles: oauthApplicationEvents.map(({ type }) => type),
  async project(event, documents) {
    switch (event.type) {
      case 'OauthApplicationCreated':
        return documents.put(gatewayOauthClients, event.data);
      case 'OauthApplicationDeleted': {
        const where = eq('oauthApplicationId', event.data.oauthApplicationId);
        const [client] = await documents.find(gatewayOauthClients, { where, limit: 1 });
        if (client) documents.delete(gatewayOauthClients, client.clientId);
        return;
      }
      default:
        event satisfies never;
    }
  },
});
