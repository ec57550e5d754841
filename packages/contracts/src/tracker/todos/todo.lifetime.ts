import { UserDeleted } from '../../admin/users/user.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { IssueDeleted } from '../issues/issue.events.ts';
import { MergeRequestDeleted } from '../merge-requests/merge-request.events.ts';
import { TodoCreated, TodoDone } from './todo.events.ts';

/** An item that is done stays on the list. */
export const todoLifetime = defineLifetime({
  kind: 'Todo',
  id: ['todoId'],
  begins: [begins(TodoCreated, { fixed: { state: 'pending' } })],
  changes: changedBy(TodoDone),
  ends: [
    endsWith(IssueDeleted, { targetId: 'issueId' }, { ofRecord: { targetType: 'Issue' } }),
    endsWith(
      MergeRequestDeleted,
      { targetId: 'mergeRequestId' },
      { ofRecord: { targetType: 'MergeRequest' } },
    ),
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(UserDeleted, ['userId']),
  ],
});
