import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { UserDeleted } from '../../admin/users/user.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../projects/project.events.ts';
import { SnippetDeleted } from '../snippets/snippet.events.ts';
import { StorageMoveAdvanced, StorageMoveScheduled } from './storage-move.events.ts';

/** A move is told as long as what it moved is there. */
export const storageMoveLifetime = defineLifetime({
  kind: 'StorageMove',
  id: ['moveId'],
  begins: [begins(StorageMoveScheduled, { fixed: { errorMessage: null } })],
  changes: changedBy(StorageMoveAdvanced),
  ends: [
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(SnippetDeleted, ['snippetId']),
    endsWith(UserDeleted, { authorId: 'userId' }, { ofRecord: { projectId: null } }),
    endsWith(GroupDeleted, ['groupId']),
  ],
});
