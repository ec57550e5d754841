import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { BoardCreated, BoardDeleted, BoardScoped, BoardUpdated } from './board.events.ts';

export const boardLifetime = defineLifetime({
  kind: 'Board',
  id: ['boardId'],
  begins: [
    begins(BoardCreated, {
      fixed: { milestoneId: null, assigneeId: null, weight: null },
    }),
  ],
  changes: changedBy(BoardUpdated, BoardScoped),
  ends: [
    endsWith(BoardDeleted, ['boardId']),
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(GroupDeleted, ['groupId']),
  ],
});
