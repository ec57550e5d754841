import { UserDeleted } from '../../admin/users/user.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { endsWithTarget } from '../targets/target-ends.ts';
import { TodoCreated, TodoDone } from './todo.events.ts';

/** An item that is done stays on the list. */
export const todoLifetime = defineLifetime({
  kind: 'Todo',
  id: ['todoId'],
  begins: [begins(TodoCreated, { fixed: { state: 'pending' } })],
  changes: changedBy(TodoDone),
  ends: [...endsWithTarget, endsWith(UserDeleted, ['userId'])],
});
