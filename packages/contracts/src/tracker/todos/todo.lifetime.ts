import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { UserDeleted } from '../../admin/users/user.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { endsWithTarget } from '../targets/target-ends.ts';
import { ACCESS_ACTION, AccessTodoCreated, AccessTodoDone, TodoCreated, TodoDone } from './todo.events.ts';

/** An item that is done stays on the list. */
export const todoLifetime = defineLifetime({
  kind: 'Todo',
  id: ['todoId'],
  begins: [
    begins(TodoCreated, { fixed: { state: 'pending', groupId: null } }),
    begins(AccessTodoCreated, { fixed: { state: 'pending' } }),
  ],
  changes: changedBy(TodoDone, AccessTodoDone),
  ends: [
    ...endsWithTarget,
    endsWith(GroupDeleted, ['groupId']),
    endsWith(UserDeleted, ['userId']),
    // Whoever is gone asks for nothing.
    endsWith(UserDeleted, { authorId: 'userId' }, { ofRecord: { action: ACCESS_ACTION } }),
  ],
});
