import type { StorageMoveEvent } from '@forgelog/contracts/repo/storage-moves/storage-move.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { storageMoves, storageMovesProjection } from './storage-moves.projection.ts';

const none = { projectId: null, snippetId: null, authorId: null, groupId: null };
const scheduled = (moveId: number, subject: object): StorageMoveEvent =>
  ({
    type: 'StorageMoveScheduled',
    data: { moveId, ...none, ...subject, source: 'default', destination: 'second', state: 'scheduled' },
  }) as StorageMoveEvent;
const failed: StorageMoveEvent = {
  type: 'StorageMoveAdvanced',
  data: {
    ...{ moveId: 1, kind: 'project', ...none, projectId: 7 },
    changes: { state: 'failed', errorMessage: 'The disk is full' },
    previous: { state: 'scheduled', errorMessage: null },
  },
};
const all = [
  scheduled(1, { kind: 'project', projectId: 7 }),
  scheduled(2, { kind: 'snippet', projectId: 7, snippetId: 4, authorId: 5 }),
  scheduled(3, { kind: 'snippet', snippetId: 6, authorId: 5 }),
  scheduled(4, { kind: 'group', groupId: 3 }),
];

test('a move has its newest state, with why it failed', async () => {
  await givenEvents(storageMovesProjection, ...all, failed).thenDocuments(storageMoves, [
    { id: 1, kind: 'project', state: 'failed', errorMessage: 'The disk is full' },
    { id: 2, state: 'scheduled', errorMessage: null },
    { id: 3 },
    { id: 4 },
  ]);
});

test('it ends with what it moved', async () => {
  const left = (end: object, ids: number[]) =>
    givenEvents(storageMovesProjection, ...all, end as never).thenDocuments(
      storageMoves,
      ids.map((id) => ({ id })),
    );
  await left(projectDeleted(7).event, [3, 4]);
  await left({ type: 'SnippetDeleted', data: { snippetId: 6, projectId: null, authorId: 5 } }, [1, 2, 4]);
  await left({ type: 'UserDeleted', data: { userId: 5 } }, [1, 2, 4]);
  await left({ type: 'GroupDeleted', data: { groupId: 3 } }, [1, 2, 3]);
});
