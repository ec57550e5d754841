import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ANY,
  BACKWARDS,
  END,
  EventStoreDBClient,
  eventTypeFilter,
  type Filter,
  type JSONEventType,
  jsonEvent,
  NO_STREAM,
  STREAM_EXISTS,
  streamNameFilter,
} from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { credentials } from '@grpc/grpc-js';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { fromUuid, toUuid } from './messages.ts';
import { rpcErrors } from './rpc-errors.ts';
import { type EventStoreServer, startEventStoreServer } from './server.ts';

/* Tests the protocol with the stock client. */

const folder = mkdtempSync(join(tmpdir(), 'eventstore-server-'));
const ends: (() => Promise<void>)[] = [];
let files = 0;
let server: EventStoreServer;
let client: EventStoreDBClient;
beforeEach(async () => {
  server = await startEventStoreServer({ path: join(folder, `${++files}.db`), maxAppendSize: 10_000 });
  client = EventStoreDBClient.connectionString(server.url);
  ends.push(server.stop, client.dispose);
});
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
  rmSync(folder, { recursive: true, force: true });
});

const event = (data: number, type = 'Happened') =>
  jsonEvent<JSONEventType>({ type, data: { data }, metadata: { from: 'test' } });
/** The client sends appends with their own credentials singly, and batches the others. */
const ways = { batch: {}, single: { credentials: { username: 'admin', password: 'changeit' } } };

test.each(Object.entries(ways))('appends by %s, with each kind of expectation', async (_, way) => {
  const append = (
    events: ReturnType<typeof event>[],
    expectedRevision?: bigint | 'no_stream' | 'any' | 'stream_exists',
  ) => client.appendToStream<JSONEventType>('a-1', events, { expectedRevision, ...way });
  await expect(append([event(0)], STREAM_EXISTS)).rejects.toMatchObject({ type: 'wrong-expected-version' });
  await expect(append([event(0)], 0n)).rejects.toMatchObject({
    type: 'wrong-expected-version',
    actualVersion: 'no_stream',
    expectedVersion: 0n,
  });
  const first = [event(1), event(2)];
  expect(await append(first, NO_STREAM)).toMatchObject({ success: true, nextExpectedRevision: 1n });
  const third = await append([event(3)], 1n);
  const last = [event(4)];
  const fourth = await append(last, STREAM_EXISTS);
  expect((fourth.position?.commit ?? 0n) > (third.position?.commit ?? 0n)).toBe(true);
  expect(await append([event(5)])).toMatchObject({ nextExpectedRevision: 4n });
  // A repeated append stores nothing and need not return the position.
  expect(await append(first, NO_STREAM)).toEqual({
    success: true,
    nextExpectedRevision: 1n,
    position: undefined,
  });
  expect(await append(last, ANY)).toMatchObject({ nextExpectedRevision: 3n });
  await expect(append([event(6)], 1n)).rejects.toMatchObject({ actualVersion: 4n, expectedVersion: 1n });
  await expect(append([...last, event(6)], 2n)).rejects.toMatchObject({
    type: expect.stringMatching(/invalid-transaction|unknown/),
  });
  await expect(
    append([event(7), jsonEvent<JSONEventType>({ type: 'Large', data: { text: 'x'.repeat(11_000) } })]),
  ).rejects.toMatchObject({
    type: 'maximum-append-size-exceeded',
    maxAppendSize: 10_000,
  });
  const held = await Array.fromAsync(client.readStream('a-1'), ({ event }) => event?.data);
  expect(held).toEqual([1, 2, 3, 4, 5].map((data) => ({ data })));
});

test('reads a stream from each place in both directions', async () => {
  await client.appendToStream(
    'a-1',
    [0, 1, 2, 3, 4].map((data) => event(data)),
  );
  const read = async (options: Parameters<EventStoreDBClient['readStream']>[1]) =>
    Array.fromAsync(client.readStream('a-1', options), ({ event }) => Number(event?.revision));
  expect(await read({})).toEqual([0, 1, 2, 3, 4]);
  expect(await read({ fromRevision: 2n, maxCount: 2 })).toEqual([2, 3]);
  expect(await read({ fromRevision: 9n })).toEqual([]);
  expect(await read({ fromRevision: END })).toEqual([]);
  expect(await read({ direction: BACKWARDS, fromRevision: END })).toEqual([4, 3, 2, 1, 0]);
  expect(await read({ direction: BACKWARDS, fromRevision: 2n, maxCount: 2 })).toEqual([2, 1]);
  expect(await read({ direction: BACKWARDS, fromRevision: 9n, maxCount: 1 })).toEqual([4]);
  await expect(Array.fromAsync(client.readStream('none-1'))).rejects.toMatchObject({
    type: 'stream-not-found',
    streamName: 'none-1',
  });
});

test('reads the log from each place in both directions', async () => {
  for (let i = 0; i < 5; i++) await client.appendToStream(`a-${i}`, event(i));
  const all = await Array.fromAsync(client.readAll(), ({ event }) => event);
  expect(all.map((found) => found?.streamId)).toEqual(['a-0', 'a-1', 'a-2', 'a-3', 'a-4']);
  expect(all[0]).toMatchObject({ type: 'Happened', isJson: true, metadata: { from: 'test' } });
  const place = all[2]?.position;
  if (!place) throw new Error('no position');
  const names = async (options: Parameters<EventStoreDBClient['readAll']>[0]) =>
    Array.fromAsync(client.readAll(options), ({ event }) => event?.streamId);
  expect(await names({ fromPosition: place, maxCount: 2 })).toEqual(['a-2', 'a-3']);
  expect(await names({ fromPosition: { commit: place.commit + 1n, prepare: place.commit } })).toEqual([
    'a-3',
    'a-4',
  ]);
  expect(await names({ direction: BACKWARDS, fromPosition: END, maxCount: 2 })).toEqual(['a-4', 'a-3']);
  expect(await names({ direction: BACKWARDS, fromPosition: place })).toEqual(['a-1', 'a-0']);
  expect(await names({ fromPosition: END })).toEqual([]);
  await expect(names({ fromPosition: { commit: 1n, prepare: 2n } })).rejects.toMatchObject({ code: 3 });
});

test('filters subscriptions to the log by streams and by types', async () => {
  await client.appendToStream('a-1', [event(0), event(1, 'Other')]);
  await client.appendToStream('$b-1', event(2));
  await client.appendToStream('c-1', event(3, 'Other'));
  const first = async (count: number, filter?: Filter) => {
    const seen: unknown[] = [];
    for await (const { event } of client.subscribeToAll({ filter }))
      if (seen.push(Object.values(event?.data as object)[0]) === count) break;
    return seen;
  };
  expect(await first(4)).toEqual([0, 1, 2, 3]);
  expect(await first(3, streamNameFilter({ regex: '^[^$]' }))).toEqual([0, 1, 3]);
  expect(await first(2, streamNameFilter({ prefixes: ['$', 'c'] }))).toEqual([2, 3]);
  expect(await first(2, eventTypeFilter({ prefixes: ['Oth'] }))).toEqual([1, 3]);
  expect(await first(2, eventTypeFilter({ regex: 'pp' }))).toEqual([0, 2]);
});

test('a subscription is confirmed, starts after its position and sends checkpoints', async () => {
  await client.appendToStream(
    'a-1',
    Array.from({ length: 10 }, (_, data) => event(data)),
  );
  const all = await Array.fromAsync(client.readAll(), ({ event }) => event?.position);
  const checkpoints: bigint[] = [];
  const told: string[] = [];
  const subscription = client.subscribeToAll({
    fromPosition: all[1],
    filter: streamNameFilter({
      prefixes: ['none'],
      maxSearchWindow: 2,
      checkpointInterval: 2,
      checkpointReached: async (_, { commit }) => void checkpoints.push(commit),
    }),
  });
  for (const sign of ['confirmation', 'caughtUp'] as const) subscription.on(sign, () => told.push(sign));
  subscription.on('data', () => told.push('event'));
  await expect.poll(() => told).toEqual(['confirmation', 'caughtUp']);
  // Of eight events considered, the fourth and the eighth give a checkpoint.
  expect(checkpoints).toEqual([all[5]?.commit, all[9]?.commit]);
  await client.appendToStream('none-1', event(1));
  await expect.poll(() => told).toEqual(['confirmation', 'caughtUp', 'event']);
  await subscription.unsubscribe();
});

test('follows a single stream', async () => {
  await client.appendToStream('a-1', [event(0), event(1)]);
  await client.appendToStream('b-1', event(2));
  const seen: number[] = [];
  for await (const { event: found } of client.subscribeToStream('a-1', { fromRevision: 0n })) {
    seen.push(Number(found?.revision));
    if (seen.length === 1) await client.appendToStream('a-1', event(3));
    if (seen.length === 2) break;
  }
  expect(seen).toEqual([1, 2]);
});

test('an unsupported call is rejected as unimplemented', async () => {
  await client.appendToStream('a-1', event(0));
  await expect(client.deleteStream('a-1')).rejects.toMatchObject({ code: 12 });
  await expect(client.tombstoneStream('a-1')).rejects.toMatchObject({ code: 12 });
});

test('a cluster is discovered by gossip, and redirects writes to its leader', async () => {
  const follower = await startEventStoreServer({ path: join(folder, `${++files}.db`) });
  ends.push(follower.stop);
  follower.faults.leader = server;
  const direct = EventStoreDBClient.connectionString(follower.url);
  const cluster = EventStoreDBClient.connectionString(
    `esdb://127.0.0.1:${follower.port},127.0.0.1:${follower.port}?tls=false`,
  );
  ends.push(direct.dispose, cluster.dispose);
  await cluster.appendToStream('a-1', event(0));
  await expect(direct.appendToStream('a-1', event(1), { requiresLeader: true })).rejects.toMatchObject({
    type: 'not-leader',
    leader: { address: server.host, port: server.port },
  });
  await direct.appendToStream('a-1', event(1), { requiresLeader: true });
  expect(await Array.fromAsync(client.readStream('a-1'))).toHaveLength(2);
});

test('ids are accepted as text or as two numbers', async () => {
  const id = 'f1234567-89ab-7cde-8f01-23456789abcd';
  await client.appendToStream('a-1', jsonEvent({ id, type: 'Happened', data: {} }));
  expect(fromUuid(toUuid(id, true))).toBe(id);
  const stub = new services.StreamsClient(`${server.host}:${server.port}`, credentials.createInsecure());
  const all = new streams.ReadReq.Options.AllOptions().setStart(new shared.Empty());
  const options = new streams.ReadReq.Options()
    .setAll(all)
    .setCount('1')
    .setNoFilter(new shared.Empty())
    .setUuidOption(new streams.ReadReq.Options.UUIDOption().setStructured(new shared.Empty()));
  const [response] = await Array.fromAsync(stub.read(new streams.ReadReq().setOptions(options)));
  stub.close();
  const uuid = (response as streams.ReadResp).getEvent()?.getEvent()?.getId();
  expect(uuid?.hasStructured()).toBe(true);
  expect(fromUuid(uuid)).toBe(id);
});

test('an append whose connection breaks before its last event stores nothing', async () => {
  const stub = new services.StreamsClient(`${server.host}:${server.port}`, credentials.createInsecure());
  for (let round = 0; round < 10; round++) {
    const stream = `cut-${round}`;
    const broken = new Promise((resolve) => {
      const call = stub.append(resolve);
      const options = new streams.AppendReq.Options()
        .setStreamIdentifier(
          new shared.StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64')),
        )
        .setNoStream(new shared.Empty());
      call.write(new streams.AppendReq().setOptions(options));
      const message = new streams.AppendReq.ProposedMessage().setId(
        toUuid('f1234567-89ab-7cde-8f01-23456789abcd', false),
      );
      message.getMetadataMap().set('type', 'Happened').set('content-type', 'application/json');
      call.write(new streams.AppendReq().setProposedMessage(message));
    });
    await expect.poll(() => server.faults.calls.append).toBe(round + 1);
    server.dropConnections();
    await broken;
  }
  stub.close();
  expect(await Array.fromAsync(client.readAll())).toEqual([]);
});

test('faults affect only the calls they are set for', async () => {
  server.faults.next('append', { kind: 'refuse', error: rpcErrors.streamDeleted('a-1') });
  await expect(client.appendToStream('a-1', event(0), ways.single)).rejects.toMatchObject({
    type: 'stream-deleted',
  });
  server.faults.next('batch-append', { kind: 'drop-after' });
  await client.appendToStream('a-1', event(1), ways.single);
  await expect(client.appendToStream('a-1', event(2))).rejects.toMatchObject({ type: 'unavailable' });
  await client.appendToStream('a-1', event(3));
  expect(await Array.fromAsync(client.readStream('a-1'), ({ event }) => event?.data)).toEqual(
    [1, 2, 3].map((data) => ({ data })),
  );
});

test('keeps its events across a restart', async () => {
  const path = join(folder, `${++files}.db`);
  const before = await startEventStoreServer({ path });
  const writer = EventStoreDBClient.connectionString(before.url);
  await writer.appendToStream('a-1', [event(0), event(1)]);
  const positions = await Array.fromAsync(writer.readAll(), ({ event }) => event?.position);
  await writer.dispose();
  await before.stop();
  const after = await startEventStoreServer({ path });
  const reader = EventStoreDBClient.connectionString(after.url);
  ends.push(after.stop, reader.dispose);
  expect(await Array.fromAsync(reader.readAll(), ({ event }) => event?.position)).toEqual(positions);
  expect(await reader.appendToStream('a-1', event(2), { expectedRevision: 1n })).toMatchObject({
    nextExpectedRevision: 2n,
  });
});
