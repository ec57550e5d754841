import { type AccessTodoEvent, TODO_DONE } from '@forgelog/contracts/tracker/todos/todo.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type AccessTodoCommand, accessTodoDecider } from './access-todo.decider.ts';

const request = { targetType: 'Namespace', targetId: 9, authorId: 4 } as const;
const ask = (...ids: readonly [todoId: number, userId: number][]): AccessTodoCommand => ({
  ...{ type: 'AskForDecision', request },
  todos: ids.map(([todoId, userId]) => ({ todoId, userId })),
});
const created = (todoId: number, userId: number): AccessTodoEvent => ({
  type: 'AccessTodoCreated',
  data: { ...request, todoId, userId, action: 'member_access_requested', projectId: null, groupId: 9 },
});
const done = (todoId: number, userId: number): AccessTodoEvent => ({
  type: 'AccessTodoDone',
  data: { todoId, userId, ...TODO_DONE },
});
const finishAll: AccessTodoCommand = { type: 'FinishAccessTodos' };

test('who may decide has one item a request', () => {
  given(accessTodoDecider)
    .when(ask([1, 5], [2, 6]))
    .thenEvents(created(1, 5), created(2, 6));
  given(accessTodoDecider, created(1, 5))
    .when(ask([3, 5], [4, 6]))
    .thenEvents(created(4, 6));
  given(accessTodoDecider).when(ask()).thenEvents();
});

test('an item is ticked off by itself, once', () => {
  const finish: AccessTodoCommand = { type: 'FinishAccessTodo', todoId: 1, userId: 5 };
  given(accessTodoDecider, created(1, 5), created(2, 6)).when(finish).thenEvents(done(1, 5));
  given(accessTodoDecider, created(1, 5), done(1, 5)).when(finish).thenEvents();
  given(accessTodoDecider, created(1, 5), done(1, 5), created(3, 5)).when(finish).thenEvents();
});

test('the end of a request ends what is pending, and the next request begins anew', () => {
  given(accessTodoDecider, created(1, 5), created(2, 6), done(1, 5)).when(finishAll).thenEvents(done(2, 6));
  given(accessTodoDecider, created(1, 5), done(1, 5)).when(finishAll).thenEvents();
  given(accessTodoDecider, created(1, 5), done(1, 5))
    .when(ask([3, 5]))
    .thenEvents(created(3, 5));
});
