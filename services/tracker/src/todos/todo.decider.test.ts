import type { TodoEvent } from '@forgelog/contracts/tracker/todos/todo.events.ts';
import { expect, test } from 'vitest';
import { type TodoCommand, type TodoState, todoDecider } from './todo.decider.ts';

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
const done = (todoId: number): TodoEvent => ({ type: 'TodoDone', data: { todoId, userId: 4 } });
const finish = (todoId: number): TodoCommand => ({ type: 'FinishTodo', todoId, userId: 4 });

const decide = (events: TodoEvent[], command: TodoCommand) =>
  todoDecider.decide(command, events.reduce<TodoState>(todoDecider.evolve, todoDecider.initialState));

test('one item at a time is pending', () => {
  expect(decide([], { type: 'CreateTodo', todo: todo(1) })).toEqual([created(1)]);
  expect(decide([created(1)], { type: 'CreateTodo', todo: todo(2) })).toEqual([]);
  expect(decide([created(1), done(1)], { type: 'CreateTodo', todo: todo(2) })).toEqual([created(2)]);
});

test('an item is done once, and an old one leaves its follower alone', () => {
  expect(decide([created(1)], finish(1))).toEqual([done(1)]);
  expect(decide([created(1), done(1)], finish(1))).toEqual([]);
  expect(decide([created(1), done(1), created(2)], finish(1))).toEqual([]);
  expect(decide([], finish(1))).toEqual([]);
});
