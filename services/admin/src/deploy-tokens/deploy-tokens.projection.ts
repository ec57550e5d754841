import {
  type DeployTokenEvent,
  deployTokenEvents,
} from '@forgelog/contracts/admin/deploy-tokens/deploy-token.events.ts';
import { deployTokenLifetime } from '@forgelog/contracts/admin/deploy-tokens/deploy-token.lifetime.ts';
import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const deployTokens = defineCollection({
  name: 'deploy_tokens',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer?',
    groupId: 'integer?',
    name: 'text',
    username: 'text',
    scopes: 'text[]',
    expiresAt: 'text?',
  },
  indexes: [['projectId'], ['groupId']],
  holds: { lifetime: deployTokenLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export type DeployTokenRow = DocumentOf<typeof deployTokens>;

export const deployTokensProjection = defineProjection<DeployTokenEvent>({
  name: 'deploy-tokens',
  collections: [deployTokens],
  handles: deployTokenEvents.map(({ type }) => type),
  async project(event, documents) {
    const { deployTokenId: id } = event.data;
    switch (event.type) {
      case 'DeployTokenCreated': {
        const { deployTokenId: _, tokenSha256: _hash, ...token } = event.data;
        return documents.put(deployTokens, { id, ...token });
      }
      case 'DeployTokenDeleted':
        return documents.delete(deployTokens, id);
      default:
        event satisfies never;
    }
  },
});
