import { afterAll, expect, test } from 'vitest';
import { BEGINNING } from '../../event.ts';
import { EventStoreUnavailableError } from '../../event-store.ts';
import { someEvent } from '../../testing/event-store.contract.ts';
import { eventStoreDbServers } from '../../testing/eventstoredb-servers.ts';
import type { Fault } from './testing/server/faults.ts';
import { rpcErrors } from './testing/server/rpc-errors.ts';

const servers = eventStoreDbServers();
afterAll(() => servers.stop());

async function start(options: { deadlineMs?: number; patienceMs?: number } = {}) {
  const server = await servers.start();
  const events = Array.from({ length: 50 }, (_, data) => someEvent(data));
  const { position } = await servers.open(server).append('thing-1', 'no-stream', events);
  const store = servers.open(server, options);
  return { server, store, position };
}

test.each<[string, Fault]>([
  ['the connection breaks on the way', { kind: 'drop-after-messages', messages: 0 }],
  ['the connection breaks', { kind: 'drop-before' }],
  ['the server is not ready', { kind: 'refuse', error: rpcErrors.notReady() }],
  ['nothing comes in time', { kind: 'no-answer' }],
])('a read is complete where %s', async (_, fault) => {
  const { server, store, position } = await start({ deadlineMs: 150 });
  const meet = () => server.faults.next('read', fault, 2);
  meet();
  expect(await store.readStream('thing-1')).toHaveLength(50);
  meet();
  expect(await store.readAll({ after: BEGINNING, limit: 100 })).toHaveLength(50);
  meet();
  expect(await store.head()).toBe(position);
});

test('a read from a server that never answers times out as unavailable', async () => {
  const { server, store } = await start({ deadlineMs: 50, patienceMs: 100 });
  server.faults.next('read', { kind: 'delay', ms: 60_000 }, 100);
  await expect(store.readStream('thing-1')).rejects.toThrow(EventStoreUnavailableError);
  await expect(store.readAll({ after: BEGINNING, limit: 1 })).rejects.toThrow(/no answer in time/);
  await expect(store.head()).rejects.toThrow(EventStoreUnavailableError);
});

test('concurrent head() calls share one read', async () => {
  const { server, store, position } = await start();
  const before = server.faults.calls.read;
  const heads = await Promise.all(Array.from({ length: 50 }, () => store.head()));
  expect(new Set(heads)).toEqual(new Set([position]));
  expect(server.faults.calls.read - before).toBe(2);
});

test('head() is never older than the call', async () => {
  const { store } = await start();
  for (let i = 0; i < 20; i++) {
    const earlier = store.head();
    const { position } = await store.append(`thing-x${i}`, 'no-stream', [someEvent()]);
    expect((await store.head()) >= position).toBe(true);
    await earlier;
  }
});

test('reads ranges that end anywhere', async () => {
  const { store } = await start();
  const log = await store.readAll({ after: BEGINNING, limit: 1000 });
  for (const from of [0, 1, 25, 49, 50, 60]) {
    expect(await store.readStream('thing-1', { fromRevision: from })).toEqual(log.slice(from));
    expect(await store.readStream('thing-1', { fromRevision: from, limit: 7 })).toEqual(
      log.slice(from, from + 7),
    );
    const after = log[from - 1]?.position ?? (from === 0 ? BEGINNING : (log.at(-1)?.position ?? ''));
    expect(await store.readAll({ after, limit: 7 })).toEqual(log.slice(from, from + 7));
  }
});

test('a position of another store is rejected', async () => {
  const { store } = await start();
  await expect(async () => store.readAll({ after: '0000000000000007', limit: 1 })).rejects.toThrow(
    RangeError,
  );
});

test('a closed store rejects calls, and closes at once without a server', async () => {
  const { store } = await start();
  await store.close();
  await expect(store.head()).rejects.toThrow('the event store is closed');
  await expect(store.readStream('thing-1')).rejects.toThrow(EventStoreUnavailableError);
  const nowhere = servers.open({ url: 'esdb://127.0.0.1:1?tls=false' }, { patienceMs: 50 });
  await expect(nowhere.head()).rejects.toThrow(EventStoreUnavailableError);
  await nowhere.close();
  await servers.open({ url: 'esdb://127.0.0.1:1?tls=false' }).close();
});
