import {
  ACCESS_ACTION,
  type AccessTodoEvent,
  TODO_DONE,
  type TodoPlaceType,
} from '@forgelog/contracts/tracker/todos/todo.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { Map as PersistentMap } from 'immutable';

/** A user's request for access to a project or group. */
export interface AccessRequestRef {
  targetType: TodoPlaceType;
  /** Id of the project or group. */
  targetId: number;
  /** The user who asks. */
  authorId: number;
}

/** The pending items of one request: user → item. */
export type AccessTodoState = PersistentMap<number, number>;

export type AccessTodoCommand =
  | {
      type: 'AskForDecision';
      request: AccessRequestRef;
      todos: readonly { todoId: number; userId: number }[];
    }
  | { type: 'FinishAccessTodo'; todoId: number; userId: number }
  /** The request is over. */
  | { type: 'FinishAccessTodos' };

export const accessTodoStream = ({ targetType, targetId, authorId }: AccessRequestRef) =>
  `accessTodo-${targetType}-${targetId}-${authorId}`;

export const accessTodoDecider: Decider<AccessTodoState, AccessTodoCommand, AccessTodoEvent> = {
  initialState: PersistentMap(),

  decide(command, pending) {
    switch (command.type) {
      case 'AskForDecision': {
        const { targetType, targetId, authorId } = command.request;
        const isProject = targetType === 'Project';
        const place = { projectId: isProject ? targetId : null, groupId: isProject ? null : targetId };
        return command.todos
          .filter(({ userId }) => !pending.has(userId))
          .map(({ todoId, userId }) => ({
            type: 'AccessTodoCreated',
            data: { todoId, userId, authorId, action: ACCESS_ACTION, targetType, targetId, ...place },
          }));
      }
      case 'FinishAccessTodo': {
        const { todoId, userId } = command;
        return pending.get(userId) === todoId ? [done(todoId, userId)] : [];
      }
      case 'FinishAccessTodos':
        return [...pending].map(([userId, todoId]) => done(todoId, userId));
      default:
        return command satisfies never;
    }
  },

  evolve(pending, event) {
    const { todoId, userId } = event.data;
    switch (event.type) {
      case 'AccessTodoCreated':
        return pending.set(userId, todoId);
      case 'AccessTodoDone':
        return pending.delete(userId);
      default:
        return event satisfies never;
    }
  },
};

const done = (todoId: number, userId: number): AccessTodoEvent => ({
  type: 'AccessTodoDone',
  data: { todoId, userId, ...TODO_DONE },
});
