import type { DeployKeyEvent } from '@forgelog/contracts/admin/deploy-keys/deploy-key.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { test } from 'vitest';
import { deployKeyProjects, deployKeys, deployKeysProjection } from './deploy-keys.projection.ts';

const ids = { deployKeyId: 5, fingerprint: 'ab'.repeat(32) };
const created: DeployKeyEvent = {
  type: 'DeployKeyCreated',
  data: { ...ids, title: 'Machine', key: 'ssh-ed25519 AAAA', keyIds: ['sha', 'md5'], isPublic: false },
};
const enabled = (projectId: number): DeployKeyEvent => ({
  type: 'DeployKeyEnabledForProject',
  data: { ...ids, projectId, canPush: false },
});

test('a key is kept with the projects that have it', async () => {
  const events: DeployKeyEvent[] = [
    ...[created, enabled(7), enabled(8)],
    {
      type: 'DeployKeyUpdated',
      data: { ...ids, projectId: 7, changes: { title: 'Robot' }, previous: { title: 'Machine' } },
    },
    {
      type: 'DeployKeyAccessUpdated',
      data: { ...ids, projectId: 7, changes: { canPush: true }, previous: { canPush: false } },
    },
    { type: 'DeployKeyDisabledForProject', data: { ...ids, projectId: 8 } },
  ];
  await givenEvents(deployKeysProjection, ...events).thenDocuments(deployKeys, [
    { id: 5, title: 'Robot', sha256: 'sha', md5: 'md5', isPublic: false },
  ]);
  await givenEvents(deployKeysProjection, ...events).thenDocuments(deployKeyProjects, [
    { key: '5-7', canPush: true },
  ]);
  await givenEvents(deployKeysProjection, ...events, { type: 'DeployKeyDeleted', data: ids }).thenDocuments(
    deployKeys,
    [],
  );
});
