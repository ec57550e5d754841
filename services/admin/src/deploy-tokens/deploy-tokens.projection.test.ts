import type { DeployTokenEvent } from '@forgelog/contracts/admin/deploy-tokens/deploy-token.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { deployTokens, deployTokensProjection } from './deploy-tokens.projection.ts';

const created = (deployTokenId: number, projectId: number | null, groupId: number | null = null) =>
  ({
    type: 'DeployTokenCreated',
    data: {
      ...{ deployTokenId, projectId, groupId, name: 'Deployment', username: 'machine' },
      ...{ scopes: ['read_repository'], expiresAt: '2030-01-31T00:00:00.000Z', tokenSha256: 'ab' },
    },
  }) as const satisfies DeployTokenEvent;

test('a token is kept without its hash, until it is deleted', async () => {
  const deleted: DeployTokenEvent = {
    type: 'DeployTokenDeleted',
    data: { deployTokenId: 1, projectId: 7, groupId: null },
  };
  const kept = { name: 'Deployment', username: 'machine', expiresAt: '2030-01-31T00:00:00.000Z' };
  await givenEvents(deployTokensProjection, created(1, 7), created(2, null, 4), deleted).thenDocuments(
    deployTokens,
    [{ id: 2, projectId: null, groupId: 4, ...kept, scopes: ['read_repository'] }],
  );
});

test('tokens end with their project or group, and no others', async () => {
  const events = [created(1, 7), created(2, 8), created(3, null, 4), created(4, null, 5)];
  await givenEvents(deployTokensProjection, ...events, projectDeleted(7).event, {
    type: 'GroupDeleted',
    data: { groupId: 4 },
  }).thenDocuments(deployTokens, [{ id: 2 }, { id: 4 }]);
});
