import { TODO_DONE, type TodoAction, type TodoEvent } from '@forgelog/contracts/tracker/todos/todo.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

/** What one user has to do about one target: at most one item is pending. */
export type TodoState =
  | { status: 'none' }
  | { status: 'pending' | 'done'; todoId: number; action: TodoAction };

type Created = Extract<TodoEvent, { type: 'TodoCreated' }>['data'];

export type TodoCommand =
  | { type: 'CreateTodo'; todo: Created }
  | { type: 'FinishTodo'; todoId: number; userId: number };

export const todoStream = (userId: number, targetType: string, targetId: number) =>
  `todo-${userId}-${targetType}-${targetId}`;

export const todoDecider: Decider<TodoState, TodoCommand, TodoEvent> = {
  initialState: { status: 'none' },

  decide(command, state) {
    switch (command.type) {
      case 'CreateTodo':
        return state.status === 'pending' ? [] : [{ type: 'TodoCreated', data: command.todo }];
      case 'FinishTodo': {
        const { todoId, userId } = command;
        // An item that another one has followed is done since then.
        if (state.status !== 'pending' || state.todoId !== todoId) return [];
        return [{ type: 'TodoDone', data: { todoId, userId, ...TODO_DONE } }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'TodoCreated':
        return { status: 'pending', todoId: event.data.todoId, action: event.data.action };
      case 'TodoDone':
        return state.status === 'none' ? state : { ...state, status: 'done' };
      default:
        return event satisfies never;
    }
  },
};
