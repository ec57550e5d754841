import { jsonEvent } from '@eventstore/db-client';
import { afterAll, expect, test } from 'vitest';
import { BEGINNING, type Position, type RecordedEvent } from '../../event.ts';
import { CorruptLogError, type EventStore, EventStoreUnavailableError } from '../../event-store.ts';
import { someEvent } from '../../testing/event-store.contract.ts';
import { eventStoreDbServers } from '../../testing/eventstoredb-servers.ts';
import type { Fault } from './testing/server/faults.ts';
import { rpcErrors } from './testing/server/rpc-errors.ts';

const servers = eventStoreDbServers();
afterAll(() => servers.stop());

async function appendMany(store: EventStore, count: number, data: unknown = null): Promise<void> {
  const events = Array.from({ length: count }, () => someEvent(data));
  await store.append(`thing-${events[0]?.id}`, 'no-stream', events);
}

async function follow(
  store: EventStore,
  total: number,
  options: { after?: Position; maxBatch?: number; onBatch?: (seen: number) => Promise<void> | void } = {},
): Promise<RecordedEvent[]> {
  const seen: RecordedEvent[] = [];
  const ending = new AbortController();
  const { after = BEGINNING, maxBatch = 10, onBatch } = options;
  for await (const batch of store.subscribe({ after, maxBatch, signal: ending.signal })) {
    seen.push(...batch);
    if (seen.length >= total) ending.abort();
    else await onBatch?.(seen.length);
  }
  return seen;
}

const entireLog = (store: EventStore) => store.readAll({ after: BEGINNING, limit: 100_000 });

test.each<[string, Fault]>([
  ['its connection breaks', { kind: 'drop-after-messages', messages: 34 }],
  ['the server drops it', { kind: 'drop-after-messages', messages: 34, error: rpcErrors.notReady() }],
  ['it is refused', { kind: 'refuse', error: rpcErrors.notReady() }],
  ['it is not confirmed in time', { kind: 'delay', ms: 500 }],
])('a subscription continues without gap or repeat where %s', async (_, fault) => {
  const server = await servers.start();
  const store = servers.open(server, { deadlineMs: 250 });
  await appendMany(store, 100);
  server.faults.next('subscribe', fault, 3);
  const following = follow(store, 200);
  await appendMany(store, 100);
  expect(await following).toEqual(await entireLog(store));
  expect(server.faults.calls.subscribe).toBeGreaterThan(3);
});

test('a live subscription continues after all connections break, again and again', async () => {
  const server = await servers.start();
  const store = servers.open(server);
  await appendMany(store, 1);
  const seen = await follow(store, 60, {
    maxBatch: 3,
    async onBatch() {
      server.dropConnections();
      await appendMany(store, 6);
    },
  });
  expect(seen).toEqual((await entireLog(store)).slice(0, seen.length));
});

test('a subscription continues after a server restart', async () => {
  const server = await servers.start();
  const store = servers.open(server, { patienceMs: 20_000 });
  await appendMany(store, 10);
  let restarted = false;
  const seen = await follow(store, 30, {
    async onBatch() {
      if (restarted) return;
      restarted = true;
      await server.stop();
      await servers.start({ path: server.path, port: server.port });
      await appendMany(store, 20);
    },
  });
  expect(seen).toEqual(await entireLog(store));
});

test('a subscription fails when the server stays away, and a new one continues', async () => {
  const server = await servers.start();
  const store = servers.open(server, { patienceMs: 100 });
  await appendMany(store, 10);
  const lost = follow(store, 11, { onBatch: () => server.stop() });
  await expect(lost).rejects.toThrow(EventStoreUnavailableError);
  await servers.start({ path: server.path, port: server.port });
  expect(await follow(servers.open(server, { patienceMs: 20_000 }), 10)).toHaveLength(10);
});

test('a subscription with access denied fails at once and says why', async () => {
  const server = await servers.start();
  const store = servers.open(server);
  server.faults.next('subscribe', { kind: 'refuse', error: rpcErrors.accessDenied() });
  await expect(follow(store, 1)).rejects.toThrow(/denied access/);
  expect(server.faults.calls.subscribe).toBe(1);
});

test('an event of another system ends a subscription', async () => {
  const server = await servers.start();
  const store = servers.open(server);
  await servers.client(server).appendToStream('foreign-1', jsonEvent({ type: 'Foreign', data: {} }));
  await expect(follow(store, 1)).rejects.toThrow(CorruptLogError);
});

test("the server's own events are hidden from subscribers, readers and head()", async () => {
  const server = await servers.start();
  const store = servers.open(server);
  const client = servers.client(server);
  const system = () =>
    client.appendToStream(
      '$stats-127.0.0.1:2113',
      Array.from({ length: 300 }, () => jsonEvent({ type: '$statsCollected', data: {} })),
    );
  await system();
  expect(await store.head()).toBe(BEGINNING);
  expect(await entireLog(store)).toEqual([]);
  await appendMany(store, 3);
  const head = await store.head();
  await system();
  expect(await store.head()).toBe(head);
  await system();
  expect(await store.head()).toBe(head);
  // A store with an empty cache finds the event behind all of these.
  expect(await servers.open(server).head()).toBe(head);
  const log = await entireLog(store);
  expect(log.map(({ position }) => position).at(-1)).toBe(head);
  expect(await follow(store, 3)).toEqual(log);
  const appended = await store.append('thing-1', 'no-stream', [someEvent()]);
  expect(await store.head()).toBe(appended.position);
  expect(await store.readAll({ after: head, limit: 9 })).toMatchObject([{ position: appended.position }]);
});

test('a subscription resumes after the last checkpoint, not after the last event', async () => {
  const server = await servers.start();
  const store = servers.open(server);
  const client = servers.client(server);
  await appendMany(store, 2);
  const following = follow(store, 3);
  await client.appendToStream(
    '$stats-1',
    Array.from({ length: 2_100 }, () => jsonEvent({ type: '$statsCollected', data: {} })),
  );
  // The read after the append, the confirmation, two events, the caught-up message, and the checkpoint after 2,000
  // events.
  await expect.poll(() => server.faults.messages).toBeGreaterThanOrEqual(6);
  server.dropConnections();
  await expect.poll(() => server.faults.subscribedAfter.length).toBe(2);
  await appendMany(store, 1);
  expect(await following).toEqual(await entireLog(store));
  const [first, second] = server.faults.subscribedAfter;
  expect(first).toBeNull();
  expect(second).toBe(2n ** 62n + 1_999n * 64n);
});

test('a slow subscriber applies back-pressure to the server', async () => {
  const server = await servers.start();
  const store = servers.open(server);
  for (let i = 0; i < 5; i++) await appendMany(store, 400, 'x'.repeat(1_500));
  const before = server.faults.messages;
  let checked = false;
  const seen = await follow(store, 2_000, {
    maxBatch: 20,
    async onBatch() {
      if (checked) return;
      checked = true;
      // Enough round trips for everything to arrive without back-pressure.
      for (let i = 0; i < 40; i++) await store.head();
      expect(server.faults.messages - before).toBeLessThan(700);
    },
  });
  expect(seen).toEqual(await entireLog(store));
});
