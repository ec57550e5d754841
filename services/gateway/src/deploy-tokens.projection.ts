import {
  type DeployTokenEvent,
  deployTokenEvents,
} from '@forgelog/contracts/admin/deploy-tokens/deploy-token.events.ts';
import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/** The gateway's own copy of deploy tokens, so that authentication calls no other service (ADR 3). */
export const gatewayDeployTokens = defineCollection({
  name: 'gateway_deploy_tokens',
  key: 'sha256',
  fields: {
    ...{ sha256: 'text', deployTokenId: 'integer', projectId: 'integer?', groupId: 'integer?' },
    ...{ name: 'text', username: 'text', scopes: 'text[]', expiresAt: 'text?' },
  },
  indexes: [['deployTokenId'], ['projectId'], ['groupId']],
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export type GatewayDeployToken = DocumentOf<typeof gatewayDeployTokens>;

export const deployTokensProjection = defineProjection<DeployTokenEvent>({
  name: 'gateway-deploy-tokens',
  collections: [gatewayDeployTokens],
  handles: deployTokenEvents.map(({ type }) => type),
  async project(event, documents) {
    switch (event.type) {
      case 'DeployTokenCreated': {
        const { tokenSha256: sha256, ...token } = event.data;
        return documents.put(gatewayDeployTokens, { sha256, ...token });
      }
      case 'DeployTokenDeleted': {
        const where = eq('deployTokenId', event.data.deployTokenId);
        const [token] = await documents.find(gatewayDeployTokens, { where, limit: 1 });
        if (token) documents.delete(gatewayDeployTokens, token.sha256);
        return;
      }
      default:
        event satisfies never;
    }
  },
});
