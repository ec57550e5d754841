import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { deployTokensProjection, gatewayDeployTokens } from './deploy-tokens.projection.ts';

const created = (deployTokenId: number, projectId: number | null, groupId: number | null = null) => ({
  type: 'DeployTokenCreated',
  data: {
    ...{ deployTokenId, projectId, groupId, name: 'Deployment', username: `machine-${deployTokenId}` },
    ...{ scopes: ['read_repository'], expiresAt: null, tokenSha256: `sha-${deployTokenId}` },
  },
});
const deleted = (deployTokenId: number) => ({
  type: 'DeployTokenDeleted',
  data: { deployTokenId, projectId: 7, groupId: null },
});
const of = (...events: Parameters<typeof givenEvents>[1][]) => givenEvents(deployTokensProjection, ...events);

test('a token is known by its hash until it is deleted', async () => {
  const events = [created(1, 7), created(2, null, 4)];
  await of(...events).thenDocuments(gatewayDeployTokens, [
    { sha256: 'sha-1', deployTokenId: 1, projectId: 7, username: 'machine-1' },
    { sha256: 'sha-2', groupId: 4, scopes: ['read_repository'] },
  ]);
  await of(...events, deleted(1)).thenDocuments(gatewayDeployTokens, [{ deployTokenId: 2 }]);
  await of(...events, deleted(9)).thenDocuments(gatewayDeployTokens, [
    { deployTokenId: 1 },
    { deployTokenId: 2 },
  ]);
});

test('tokens end with their project or group, and no others', async () => {
  const events = [created(1, 7), created(2, 8), created(3, null, 4), created(4, null, 5)];
  await of(...events, projectDeleted(7).event, {
    type: 'GroupDeleted',
    data: { groupId: 4 },
  }).thenDocuments(gatewayDeployTokens, [{ deployTokenId: 2 }, { deployTokenId: 4 }]);
});
