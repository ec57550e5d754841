import type { ProtectedTagEvent } from '@forgelog/contracts/repo/protected-tags/protected-tag.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { protectedTags, protectedTagsProjection } from './protected-tags.projection.ts';

const created = (protectedTagId: number, projectId = 7): ProtectedTagEvent => ({
  type: 'ProtectedTagCreated',
  data: { protectedTagId, projectId, name: `v${protectedTagId}`, createAccessLevel: 30 },
});

test('a protected tag is stored, and deleted by itself and with its project', async () => {
  const deletion: ProtectedTagEvent = {
    type: 'ProtectedTagDeleted',
    data: { protectedTagId: 1, projectId: 7, name: 'v1' },
  };
  await givenEvents(protectedTagsProjection, created(1), created(2)).thenDocuments(protectedTags, [
    { id: 1, projectId: 7, name: 'v1', createAccessLevel: 30 },
    { id: 2 },
  ]);
  await givenEvents(
    protectedTagsProjection,
    ...[created(1), created(2), created(3, 8)],
    deletion,
    projectDeleted(7).event,
  ).thenDocuments(protectedTags, [{ id: 3 }]);
});
