import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { issueTodo } from '@forgelog/contracts/tracker/todos/todo.api.ts';
import { expect, onTestFinished, test } from 'vitest';
import { callsTo, holdAgainstContract } from './calls.ts';

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

/** A server that resets the connections of its first requests, so many, and answers all others. */
async function resetting(first: number) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (asked.push(request.method!) <= first) request.socket.resetAndDestroy();
    else response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, ...callsTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, []) };
}

test('a read whose connection was closed is repeated, once', async () => {
  const { asked, get } = await resetting(1);
  expect((await get('/version')).status).toBe(200);
  expect(asked).toEqual(['GET', 'GET']);
  const broken = await resetting(2);
  await expect(broken.get('/version')).rejects.toThrow('fetch failed');
  expect(broken.asked).toEqual(['GET', 'GET']);
});

test.each(['POST', 'PUT', 'DELETE'])('a %s is never repeated, for it may have been done', async (method) => {
  const { asked, call } = await resetting(1);
  await expect(call(method, '/version')).rejects.toThrow('fetch failed');
  expect(asked).toEqual([method]);
});
