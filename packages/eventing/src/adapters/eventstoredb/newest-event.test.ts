import { afterAll, expect, test } from 'vitest';
import { someEvent } from '../../testing/event-store.contract.ts';
import { eventStoreDbServers } from '../../testing/eventstoredb-servers.ts';
import { connect } from './connection.ts';
import { createLogHead } from './log-head.ts';
import { textOf } from './log-position.ts';
import { newestEvent } from './newest-event.ts';
import { NoAnswerError } from './server-errors.ts';

const servers = eventStoreDbServers();
afterAll(() => servers.stop());

async function connected(deadlineMs?: number) {
  const server = await servers.start();
  const store = servers.open(server);
  return { server, store, connection: connect({ url: server.url, deadlineMs }) };
}

test('the newest event is told with its stream and position', async () => {
  const { store, connection } = await connected();
  const { position } = await store.append('thing-1', 'no-stream', [someEvent(1), someEvent(2)]);
  const newest = await newestEvent(connection);
  expect(newest.stream).toBe('thing-1');
  expect(textOf(newest.position)).toBe(position);
  await connection.close();
});

test('an empty log has none, a silent server does not answer, and a closed connection ends the question', async () => {
  const { server, connection } = await connected(100);
  await expect(newestEvent(connection)).rejects.toThrow();
  server.faults.next('read', { kind: 'no-answer' });
  await expect(newestEvent(connection)).rejects.toThrow(NoAnswerError);
  const patient = connect({ url: server.url, deadlineMs: 60_000 });
  server.faults.next('read', { kind: 'no-answer' });
  const ended = expect(newestEvent(patient)).rejects.toThrow();
  await expect.poll(() => server.faults.calls.read).toBe(3);
  await patient.close();
  await ended;
  await connection.close();
});

test('where the cheap question fails, the log is read, and it is not asked again at once', async () => {
  const { server, store, connection } = await connected();
  const head = createLogHead(connection);
  const { position } = await store.append('thing-1', 'no-stream', [someEvent(1)]);
  const reads = async () => {
    const before = server.faults.calls.read;
    expect(await head()).toBe(position);
    return server.faults.calls.read - before;
  };
  expect(await reads()).toBe(1);
  server.faults.next('read', { kind: 'drop-before' });
  expect(await reads()).toBe(2);
  expect(await reads()).toBe(1);
  await connection.close();
});
