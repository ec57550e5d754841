import { queryObjects } from 'node:v8';
import { expect, test, vi } from 'vitest';
import { openMemoryEventStore } from './adapters/memory/memory-event-store.ts';
import { openMemoryFeed } from './adapters/memory/memory-feed.ts';
import { openMemoryReadStore } from './adapters/memory/memory-read-store.ts';
import { openMemoryRegisters } from './adapters/memory/memory-registers.ts';
import type { CloudEvent } from './cloud-event.ts';
import { BEGINNING, type RecordedEvent, SYSTEM_METADATA } from './event.ts';
import type { EventStore } from './event-store.ts';
import type { Feed } from './feed.ts';
import { createFeedRelay, type FeedRelayOptions } from './feed-relay.ts';
import { createIdAllocator } from './id-allocator.ts';
import { localLease } from './lease.ts';
import { knownIdentity, readLogIdentity } from './log-identity.ts';
import type { ReadStore } from './read-store.ts';
import { registerLeases } from './register-lease.ts';
import type { Registers } from './registers.ts';
import { addItem, basketDecider, catalogue, handlerOn, quiet } from './testing/sample-domain.ts';

interface Given extends Partial<Omit<FeedRelayOptions, 'store'>> {
  store?: EventStore;
  readStore?: ReadStore;
}

function setUp(options: Given = {}) {
  const { store = openMemoryEventStore(), readStore = openMemoryReadStore(), ...given } = options;
  const memory = openMemoryFeed();
  const relay = createFeedRelay({
    name: 'kafka',
    feed: memory,
    catalogue,
    log: quiet,
    services: ['test'],
    firstPauseMs: 1,
    lease: localLease('feed:kafka', readStore),
    identity: knownIdentity(store),
    ...given,
    store,
  });
  return { store, readStore, memory, relay };
}

async function add(store: EventStore, count: number, baskets = 3): Promise<void> {
  const handler = handlerOn(store);
  for (let i = 0; i < count; i++)
    await handler.handle(
      basketDecider,
      `basket-${i % baskets}`,
      addItem(`${i % baskets}`, i),
      SYSTEM_METADATA,
    );
}

/** Keeps what a deduplicating consumer keeps: nothing at or before the last position. */
function kept(seen: readonly string[]): string[] {
  let last = '';
  return seen.filter((position) => {
    const fresh = position > last;
    if (fresh) last = position;
    return fresh;
  });
}

const positions = ({ messages }: ReturnType<typeof openMemoryFeed>) =>
  messages.map(({ headers }) => headers.position);
/** The positions of all events, as they are published. */
const logged = async (store: EventStore) => {
  const identity = await readLogIdentity(store);
  const events = await store.readAll({ after: BEGINNING, limit: 10_000 });
  return events.map(({ position }) => identity!.publish(position));
};

test('publishes everything in order from the first event, then new events', async () => {
  const { store, readStore, memory, relay } = setUp({ batchSize: 4 });
  await add(store, 10);
  relay.start();
  expect(await relay.idle()).toBe(true);
  expect(positions(memory)).toEqual(await logged(store));
  await add(store, 3);
  expect(await relay.idle()).toBe(true);
  expect(positions(memory)).toEqual(await logged(store));
  expect(await readStore.checkpoint('feed:kafka')).toBe(await store.head());
  await relay.stop();
});

test('publishes CloudEvents without withheld data and without internal events', async () => {
  const { store, memory, relay } = setUp();
  await createIdAllocator({ store, catalogue, clock: () => new Date(0) } as never).next('thing');
  await add(store, 1);
  relay.start();
  await relay.idle();
  expect(memory.messages).toHaveLength(1);
  expect(memory.messages[0]).toMatchObject({ topic: 'forgelog.test', key: 'basket-0', timestamp: 0 });
  const event = JSON.parse(memory.messages[0]?.value ?? '') as CloudEvent;
  expect(event).toMatchObject({
    specversion: '1.0',
    source: `/forgelog/${(await readLogIdentity(store))!.id}/test`,
    type: 'ItemAdded',
    subject: 'basket-0',
    revision: 0,
    schemaversion: 2,
    data: { basket: '0', amount: 0, note: 'x' },
  });
  expect(relay.status().position).toBe(await store.head());
  await relay.stop();
});

test('retries a failing feed: no gap, and repeats only of what failed', async () => {
  const memory = openMemoryFeed();
  let calls = 0;
  const onError = vi.fn();
  const { store, relay } = setUp({
    batchSize: 4,
    log: { info() {}, error: onError },
    feed: {
      ...memory,
      async publish(events) {
        calls++;
        if (calls === 2 || calls === 3) throw new Error('unreachable');
        if (calls === 5) {
          // Some events arrive, but the call fails.
          await memory.publish(events.slice(0, 2));
          throw new Error('connection lost');
        }
        await memory.publish(events);
      },
    },
  });
  await add(store, 20);
  relay.start();
  expect(await relay.idle()).toBe(true);
  const all = await logged(store);
  const seen = positions(memory);
  expect(seen).toHaveLength(22);
  expect(seen).toEqual([...all.slice(0, 10), ...all.slice(8)]);
  expect(kept(seen)).toEqual(all);
  expect(onError).toHaveBeenCalledTimes(3);
  expect(onError.mock.calls.map(([fields]) => fields.attempts)).toEqual([1, 2, 1]);
  expect(relay.status().failing).toBeNull();
  await relay.stop();
});

test('reports a failing feed and its position', async () => {
  const failing = Promise.withResolvers<void>();
  const { store, relay } = setUp({
    firstPauseMs: 60_000,
    feed: { publish: () => Promise.reject(new Error('unreachable')), close: async () => {} },
    log: { info() {}, error: () => failing.resolve() },
  });
  await add(store, 2);
  relay.start();
  await failing.promise;
  const [{ position: first }] = (await store.readAll({ after: BEGINNING, limit: 1 })) as [RecordedEvent];
  expect(relay.status()).toEqual({
    feed: 'kafka',
    position: BEGINNING,
    failing: { position: first, attempts: 1, error: new Error('unreachable') },
  });
  expect(await relay.idle({ timeoutMs: 10 })).toBe(false);
  // A stop does not wait out the pause.
  await relay.stop();
});

test('another process resumes at the saved position', async () => {
  const { store, readStore, memory, relay } = setUp({ batchSize: 4 });
  await add(store, 6);
  relay.start();
  await relay.idle();
  expect(relay.status()).toEqual({ feed: 'kafka', position: await store.head(), failing: null });
  await relay.stop();
  await add(store, 6);
  const next = setUp({ store, readStore });
  next.relay.start();
  await next.relay.idle();
  expect([...positions(memory), ...positions(next.memory)]).toEqual(await logged(store));
  await next.relay.stop();
});

test('publishes again what a lost checkpoint does not cover', async () => {
  const inner = openMemoryReadStore();
  let failures = 0;
  const readStore: ReadStore = {
    ...inner,
    write: (batch) => (failures++ === 0 ? Promise.reject(new Error('disk full')) : inner.write(batch)),
  };
  const { store, memory, relay } = setUp({ readStore });
  await add(store, 3);
  relay.start();
  await relay.idle();
  const all = await logged(store);
  expect(positions(memory)).toEqual([...all, ...all]);
  await relay.stop();
});

test("continues at the end of a log that ends before the feed's position", async () => {
  const readStore = openMemoryReadStore();
  await readStore.write({ changes: [], checkpoints: new Map([['feed:kafka', '9']]) });
  const { store, memory, relay } = setUp({ readStore });
  await add(store, 2);
  relay.start();
  await add(store, 2);
  expect(await relay.idle()).toBe(true);
  expect(positions(memory)).toEqual((await logged(store)).slice(2));
  await relay.stop();
});

test('an unknown event blocks the feed, and nothing overtakes it', async () => {
  const failing = Promise.withResolvers<void>();
  const { store, memory, relay } = setUp({
    firstPauseMs: 60_000,
    log: { info() {}, error: () => failing.resolve() },
  });
  await add(store, 1);
  const unknown = {
    id: crypto.randomUUID(),
    type: 'FromTheFuture',
    schemaVersion: 1,
    time: new Date(0).toISOString(),
    data: {},
    metadata: SYSTEM_METADATA,
  };
  relay.start();
  await relay.idle();
  await store.append('future-1', 'no-stream', [unknown]);
  await add(store, 1);
  await failing.promise;
  expect(memory.messages).toHaveLength(1);
  expect(relay.status().failing?.error.message).toContain('FromTheFuture');
  await relay.stop();
});

test('a paused replica that wakes beside the next one causes repeats but keeps the order', async () => {
  const store = openMemoryEventStore();
  const registers = openMemoryRegisters();
  const arrived = openMemoryFeed();
  let isCut = false;
  const cut: Registers = {
    ...registers,
    write: (...args) => (isCut ? Promise.reject(new Error('paused')) : registers.write(...args)),
  };
  const sending = Promise.withResolvers<void>();
  const wakes = Promise.withResolvers<void>();
  const relayOf = (holder: string, over: Registers, feed: Feed, patienceMs: number) =>
    setUp({
      store,
      feed,
      batchSize: 4,
      lease: registerLeases({ registers: over, presences: 'replicas', holder, patienceMs })('feed:kafka'),
    }).relay;
  const pausing: Feed = {
    ...arrived,
    async publish(events) {
      if (!isCut) return arrived.publish(events);
      await arrived.publish(events.slice(0, 1));
      sending.resolve();
      await wakes.promise;
      await arrived.publish(events.slice(1));
    },
    close: async () => {},
  };
  const first = relayOf('first', cut, pausing, 600_000);
  await add(store, 6);
  first.start();
  expect(await first.idle({ timeoutMs: 60_000 })).toBe(true);
  isCut = true;
  await add(store, 10);
  await sending.promise;
  const second = relayOf('second', registers, { ...arrived, close: async () => {} }, 200);
  second.start();
  // Until its turn, the replica reports the other's position.
  await expect.poll(() => second.status().position).not.toBeNull();
  await expect.poll(() => positions(arrived).length).toBeGreaterThan(8);
  wakes.resolve();
  await add(store, 3);
  expect(await second.idle({ timeoutMs: 60_000 })).toBe(true);
  isCut = false;
  await first.stop();
  const seen = positions(arrived);
  const all = await logged(store);
  expect(seen.length).toBeGreaterThan(all.length);
  expect(kept(seen)).toEqual(all);
  await second.stop();
});

test('a stop releases the lease with the noted position, even if the feed never answers', async () => {
  const store = openMemoryEventStore();
  const registers = openMemoryRegisters();
  const asked = Promise.withResolvers<void>();
  const leaseOf = (holder: string) =>
    registerLeases({ registers, presences: 'replicas', holder, patienceMs: 600_000 })('feed:kafka');
  const silent = setUp({
    store,
    lease: leaseOf('first'),
    feed: {
      publish() {
        asked.resolve();
        return new Promise(() => {});
      },
      close: async () => {},
    },
  });
  await createIdAllocator({ store, catalogue, clock: () => new Date(0) } as never).next('thing');
  silent.relay.start();
  expect(await silent.relay.idle({ timeoutMs: 60_000 })).toBe(true);
  const noted = await store.head();
  await add(store, 2);
  await asked.promise;
  await silent.relay.stop();
  expect(JSON.parse((await registers.read('feed:kafka'))!.value)).toEqual({ holder: null, position: noted });
  const { memory, relay } = setUp({ store, lease: leaseOf('second') });
  relay.start();
  expect(await relay.idle({ timeoutMs: 60_000 })).toBe(true);
  expect(memory.messages).toHaveLength(2);
  await relay.stop();
});

test('a feed that does not settle counts as failed in the end, and the events are sent again', async () => {
  const memory = openMemoryFeed();
  const publish = vi.fn<Feed['publish']>(memory.publish).mockReturnValueOnce(new Promise(() => {}));
  const { store, relay } = setUp({ feed: { ...memory, publish }, publishMs: 30, firstPauseMs: 1 });
  await add(store, 3);
  relay.start();
  expect(await relay.idle()).toBe(true);
  expect(publish.mock.calls.length).toBeGreaterThan(1);
  expect(positions(memory)).toEqual(await logged(store));
  await relay.stop();
});

test('what was published leaves nothing in memory, however many batches there were', async () => {
  const { store, relay } = setUp({ batchSize: 1 });
  await add(store, 10);
  relay.start();
  await relay.idle();
  const promises = () => queryObjects(Promise, { format: 'count' });
  const before = promises();
  await add(store, 1_000);
  await relay.idle();
  expect(promises() - before).toBeLessThan(500);
  await relay.stop();
});
