import { TODO_DONE, type TodoEvent } from '@forgelog/contracts/tracker/todos/todo.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type TodoCommand, todoDecider } from './todo.decider.ts';

const todo = (todoId: number) => ({
  todoId,
  userId: 4,
  authorId: 4,
  projectId: 7,
  action: 'marked' as const,
  targetType: 'Issue' as const,
  targetId: 70,
  targetIid: 3,
  body: 'Broken',
});
const created = (id: number): TodoEvent => ({ type: 'TodoCreated', data: todo(id) });
const done = (todoId: number): TodoEvent => ({ type: 'TodoDone', data: { todoId, userId: 4, ...TODO_DONE } });
const finish = (todoId: number): TodoCommand => ({ type: 'FinishTodo', todoId, userId: 4 });

const create = (todoId: number): TodoCommand => ({ type: 'CreateTodo', todo: todo(todoId) });

test('one item at a time is pending', () => {
  given(todoDecider).when(create(1)).thenEvents(created(1));
  given(todoDecider, created(1)).when(create(2)).thenEvents();
  given(todoDecider, created(1), done(1)).when(create(2)).thenEvents(created(2));
});

test('an item is done once, and an old one leaves its follower alone', () => {
  given(todoDecider, created(1)).when(finish(1)).thenEvents(done(1));
  given(todoDecider, created(1), done(1)).when(finish(1)).thenEvents();
  given(todoDecider, created(1), done(1), created(2)).when(finish(1)).thenEvents();
  given(todoDecider).when(finish(1)).thenEvents();
});
