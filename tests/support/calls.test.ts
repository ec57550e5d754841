import { issueTodo } from '@forgelog/contracts/tracker/todos/todo.api.ts';
import { expect, test } from 'vitest';
import { holdAgainstContract } from './calls.ts';

const held = (status: number, body: string | null) => holdAgainstContract(issueTodo, status, body);

test('an answer breaks its contract by its status', () => {
  expect(held(304, null)).toBeNull();
  expect(held(404, '{"message":"404 Not found"}')).toBeNull();
  expect(held(412, '{"message":"412 Precondition Failed"}')).toBe(
    'issue-todo answered 412, which its contract does not name',
  );
  expect(held(200, '{}')).toContain('does not name');
});

test('an answer breaks its contract by its body', () => {
  expect(held(304, '{}')).toBe('issue-todo answered 304 with a body where none belongs');
  expect(held(404, '{"problem":"it is not there"}')).toContain(
    'issue-todo answered 404 against its contract',
  );
  expect(held(201, '{"id":1}')).toContain('issue-todo answered 201 against its contract');
});
