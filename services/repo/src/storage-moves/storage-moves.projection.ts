import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { SnippetDeleted } from '@forgelog/contracts/repo/snippets/snippet.events.ts';
import {
  type StorageMoveEvent,
  storageMoveEvents,
} from '@forgelog/contracts/repo/storage-moves/storage-move.events.ts';
import { storageMoveLifetime } from '@forgelog/contracts/repo/storage-moves/storage-move.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const storageMoves = defineCollection({
  name: 'storage_moves',
  key: 'id',
  fields: {
    id: 'integer',
    kind: 'text',
    projectId: 'integer?',
    snippetId: 'integer?',
    authorId: 'integer?',
    groupId: 'integer?',
    source: 'text',
    destination: 'text',
    state: 'text',
    errorMessage: 'text?',
    createdAt: 'text',
  },
  indexes: [
    ['kind', 'id'],
    ['projectId', 'kind', 'id'],
    ['snippetId', 'id'],
    ['authorId'],
    ['groupId', 'id'],
  ],
  holds: { lifetime: storageMoveLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(SnippetDeleted, ({ snippetId }) => eq('snippetId', snippetId)),
    endsWith(UserDeleted, ({ userId }) => and(eq('projectId', null), eq('authorId', userId))),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export type StorageMoveRow = DocumentOf<typeof storageMoves>;

export const storageMovesProjection = defineProjection<StorageMoveEvent>({
  name: 'storage-moves',
  collections: [storageMoves],
  handles: storageMoveEvents.map(({ type }) => type),
  async project(event, documents) {
    if (event.type === 'StorageMoveScheduled') {
      const { moveId: id, ...data } = event.data;
      documents.put(storageMoves, { id, ...data, errorMessage: null, createdAt: event.time });
      return;
    }
    const { moveId, changes } = event.data;
    const row = await documents.get(storageMoves, moveId);
    if (row) documents.put(storageMoves, { ...row, ...changes });
  },
});
