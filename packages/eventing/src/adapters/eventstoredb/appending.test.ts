import { jsonEvent } from '@eventstore/db-client';
import { afterAll, expect, test } from 'vitest';
import { BEGINNING } from '../../event.ts';
import {
  AppendTooLargeError,
  EventStoreUnavailableError,
  WrongExpectedRevisionError,
} from '../../event-store.ts';
import { someEvent } from '../../testing/event-store.contract.ts';
import { eventStoreDbServers } from '../../testing/eventstoredb-servers.ts';
import type { Fault } from './testing/server/faults.ts';
import { rpcErrors } from './testing/server/rpc-errors.ts';

const servers = eventStoreDbServers();
afterAll(() => servers.stop());

const stream = 'thing-1';

async function start(options: { deadlineMs?: number; patienceMs?: number } = {}) {
  const server = await servers.start({ maxAppendSize: 20_000 });
  const store = servers.open(server, options);
  const held = async () => (await store.readStream(stream)).map(({ id }) => id);
  return { server, store, held };
}

test.each<[string, Fault]>([
  ['the connection broke before it was stored', { kind: 'drop-before' }],
  ['the connection broke after it was stored', { kind: 'drop-after' }],
  ['the answer did not come in time', { kind: 'no-answer' }],
  ['it was stored after its deadline', { kind: 'delay', ms: 400 }],
  ['the server was not ready', { kind: 'refuse', error: rpcErrors.notReady() }],
  ['the server timed out', { kind: 'refuse', error: rpcErrors.timeout() }],
])('an append is stored once and acknowledged where %s', async (_, fault) => {
  const { server, store, held } = await start({ deadlineMs: 200 });
  const before = await store.append(stream, 'no-stream', [someEvent()]);
  for (const count of [1, 3]) {
    const events = Array.from({ length: count }, () => someEvent());
    const expected = (await held()).length - 1;
    server.faults.next('append', fault, count);
    const appended = await store.append(stream, expected, events);
    const read = await store.readStream(stream, { fromRevision: expected + 1 });
    expect(read.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(appended).toEqual({ revision: expected + count, position: read.at(-1)?.position });
    expect(appended.position > before.position).toBe(true);
    expect(await store.append(stream, expected, events)).toEqual(appended);
  }
  expect(await held()).toHaveLength(5);
});

test.each<[string, Fault]>([
  ['the connection broke', { kind: 'drop-before' }],
  ['the answer stayed away', { kind: 'no-answer' }],
])('an append without an answer is rejected where another append took its place and %s', async (_, fault) => {
  const { server, store, held } = await start({ deadlineMs: 200 });
  const theirs = someEvent();
  await store.append(stream, 'no-stream', [theirs]);
  server.faults.next('append', fault);
  const refused = store.append(stream, 'no-stream', [someEvent()]);
  await expect(refused).rejects.toMatchObject({ name: 'WrongExpectedRevisionError', actual: 0 });
  expect(await held()).toEqual([theirs.id]);
});

test('an append of which the stream holds a part is rejected', async () => {
  const { store, held } = await start();
  const [first, second] = [someEvent(), someEvent()];
  await store.append(stream, 'no-stream', [first]);
  const refused = store.append(stream, 'no-stream', [first, second]);
  await expect(refused).rejects.toThrow(WrongExpectedRevisionError);
  await expect(refused).rejects.toMatchObject({ expected: 'no-stream', actual: 0 });
  expect(await held()).toEqual([first.id]);
});

test.each([0, null])(
  'a wrong revision is recognised by its gRPC trailers too, with the stream at %s',
  async (actual) => {
    const { server, store } = await start();
    server.faults.next('append', {
      kind: 'refuse',
      error: rpcErrors.wrongExpectedVersion(stream, 4, actual),
    });
    await expect(store.append(stream, 4, [someEvent()])).rejects.toMatchObject({
      name: 'WrongExpectedRevisionError',
      actual,
    });
  },
);

test('an append with access denied fails at once and says what to do', async () => {
  const { server, store } = await start();
  server.faults.next('append', { kind: 'refuse', error: rpcErrors.accessDenied() });
  const denied = store.append(stream, 'no-stream', [someEvent()]);
  await expect(denied).rejects.toThrow(EventStoreUnavailableError);
  await expect(denied).rejects.toThrow(/denied access: check the credentials in EVENTSTORE_URL/);
  expect(server.faults.calls.append).toBe(1);
});

test('an append that is too large fails at once and names the limit', async () => {
  const { server, store, held } = await start();
  const large = store.append(stream, 'no-stream', [
    someEvent('x'.repeat(12_000)),
    someEvent('x'.repeat(12_000)),
  ]);
  await expect(large).rejects.toThrow(AppendTooLargeError);
  await expect(large).rejects.toThrow('20000 bytes');
  expect(server.faults.calls.append).toBe(1);
  expect(await held()).toEqual([]);
});

test('an append to an unreachable server fails as unavailable, and succeeds once it is back', async () => {
  const { server, store } = await start({ patienceMs: 100 });
  await store.append('thing-0', 'no-stream', [someEvent()]);
  await server.stop();
  const events = [someEvent()];
  const gone = store.append(stream, 'no-stream', events);
  await expect(gone).rejects.toThrow(EventStoreUnavailableError);
  await expect(gone).rejects.toThrow(/cannot be used now: .*(ECONNREFUSED|connect|drop)/i);
  await servers.start({ path: server.path, port: server.port });
  const patient = servers.open(server, { patienceMs: 10_000 });
  const appended = await patient.append(stream, 'no-stream', events);
  expect(await patient.append(stream, 'no-stream', events)).toEqual(appended);
  expect(await patient.readAll({ after: BEGINNING, limit: 9 })).toHaveLength(2);
});

test('appends, reads and head() go to the leader, whatever node the connection string prefers', async () => {
  const leader = await servers.start();
  const follower = await servers.start();
  follower.faults.leader = leader;
  for (const url of [follower.url, `esdb://127.0.0.1:${follower.port},127.0.0.1:${leader.port}?tls=false`]) {
    const store = servers.open({ url });
    const name = `thing-${url.length}`;
    expect(await store.readStream(name)).toEqual([]);
    const other = servers.open({ url });
    const { position } = await other.append(name, 'no-stream', [someEvent()]);
    expect(await servers.open({ url }).head()).toBe(position);
  }
  const direct = servers.open(leader);
  expect(await direct.readAll({ after: BEGINNING, limit: 9 })).toHaveLength(2);
});

test('a cluster without a leader is unavailable, and later calls find the new leader', async () => {
  const { server, store } = await start({ patienceMs: 100 });
  server.faults.leader = server;
  await expect(store.append(stream, 'no-stream', [someEvent()])).rejects.toThrow(/not the leader/);
  await expect(store.head()).rejects.toThrow(EventStoreUnavailableError);
  server.faults.leader = null;
  expect(await store.append(stream, 'no-stream', [someEvent()])).toMatchObject({ revision: 0 });
});

test("the envelope is stored in the event's metadata, and its time apart from the server's", async () => {
  const { server, store } = await start();
  const event = { ...someEvent({ a: 1 }), schemaVersion: 3, time: '2001-02-03T04:05:06.789Z' };
  await store.append(stream, 'no-stream', [event]);
  const [resolved] = await Array.fromAsync(servers.client(server).readStream(stream));
  const { schemaVersion, time, metadata } = event;
  expect(resolved?.event).toMatchObject({
    id: event.id,
    type: event.type,
    data: event.data,
    metadata: { schemaVersion, time, metadata },
  });
  expect(resolved?.event?.created.getTime()).toBeGreaterThan(Date.parse(time) + 1_000_000);
  expect(await store.readStream(stream)).toMatchObject([event]);
});

test('an event of another system is reported as log corruption', async () => {
  const { server, store } = await start();
  await servers.client(server).appendToStream(stream, jsonEvent({ type: 'Foreign', data: {} }));
  await expect(store.readStream(stream)).rejects.toThrow(
    /event 0 of stream thing-1 was not written by this system/,
  );
});
