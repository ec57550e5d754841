import { expect, test, vi } from 'vitest';
import { openMemoryEventStore } from './adapters/memory/memory-event-store.ts';
import { BEGINNING, type Position } from './event.ts';
import { type EventStore, EventStoreUnavailableError } from './event-store.ts';
import { sharedTail } from './shared-tail.ts';
import { describeEventStore, someEvent } from './testing/event-store.contract.ts';

describeEventStore('with a shared tail', async () => ({ store: sharedTail(openMemoryEventStore()) }));

function opened() {
  const own = openMemoryEventStore();
  const subscribe = vi.fn(own.subscribe);
  const store = sharedTail({ ...own, subscribe });
  const append = async (count: number) => {
    const events = Array.from({ length: count }, () => someEvent());
    await own.append(`thing-${events[0]!.id}`, 'no-stream', events);
  };
  const all = async () => (await own.readAll({ after: BEGINNING, limit: 1e6 })).map(({ id }) => id);
  /** Where the subscriptions began that are open or were. */
  const begun = () => subscribe.mock.calls.map(([{ after }]) => after);
  const open = () => subscribe.mock.calls.filter(([{ signal }]) => !signal.aborted).length;
  return { own, store, subscribe, append, all, begun, open };
}

/** Follows the log until it is aborted, or has seen so many events. */
function follower(store: EventStore, after: Position = BEGINNING, most = Number.POSITIVE_INFINITY) {
  const ending = new AbortController();
  const seen: string[] = [];
  const gate = { passing: Promise.resolve() };
  const done = (async () => {
    for await (const batch of store.subscribe({ after, maxBatch: 7, signal: ending.signal })) {
      await gate.passing;
      seen.push(...batch.map(({ id }) => id));
      if (seen.length >= most) return;
    }
  })();
  done.catch(() => {});
  return { seen, gate, done, end: () => ending.abort() };
}

test('many who follow the end share one subscription, and see all of it', async () => {
  const { store, append, all, begun } = opened();
  await append(20);
  const head = await store.head();
  const followers = Array.from({ length: 10 }, () => follower(store, head));
  for (let at = 0; at < 30; at += 1) await append(3);
  const expected = (await all()).slice(20);
  for (const { seen } of followers) await expect.poll(() => seen).toEqual(expected);
  expect(begun()).toEqual([head]);
  for (const { end, done } of followers) {
    end();
    await done;
  }
});

test('who is behind catches up alone and then joins the others, without gap or repeat', async () => {
  const { store, append, all, begun } = opened();
  await append(100);
  const [early, late] = [follower(store), follower(store, await store.head())];
  for (let at = 0; at < 30; at += 1) await append(5);
  const expected = await all();
  await expect.poll(() => early.seen).toEqual(expected);
  await expect.poll(() => late.seen).toEqual(expected.slice(100));
  expect(begun()).toHaveLength(2);
  await append(5);
  await expect.poll(() => early.seen.length).toBe(expected.length + 5);
  expect(begun()).toHaveLength(2);
  for (const { end } of [early, late]) end();
});

test('who falls behind the events that are kept misses none', async () => {
  const { store, append, all, begun } = opened();
  const [slow, other] = [follower(store), follower(store)];
  const { promise, resolve } = Promise.withResolvers<void>();
  slow.gate.passing = promise;
  for (let at = 0; at < 300; at += 1) await append(10);
  await expect.poll(() => other.seen).toHaveLength(3000);
  expect(slow.seen).toEqual([]);
  resolve();
  await expect.poll(() => slow.seen, { timeout: 5_000 }).toEqual(await all());
  expect(begun().length).toBeGreaterThan(1);
  for (const { end } of [slow, other]) end();
});

test('the subscription ends with the last who follows, and begins anew with the next', async () => {
  const { store, append, all, begun, open } = opened();
  const [first, second] = [follower(store, BEGINNING, 3), follower(store)];
  await append(3);
  await first.done;
  expect(open()).toBe(1);
  second.end();
  await second.done;
  expect(open()).toBe(0);
  await append(4);
  const third = follower(store);
  await expect.poll(async () => third.seen).toEqual(await all());
  expect(begun().length).toBeGreaterThan(1);
  third.end();
});

test('a failure ends all who follow, after what came before it; who follows again misses nothing', async () => {
  const { own, store, subscribe, append, all } = opened();
  const broken = new EventStoreUnavailableError('gone');
  subscribe.mockImplementationOnce(async function* ({ after, signal }) {
    for await (const batch of own.subscribe({ after, signal })) {
      yield batch;
      throw broken;
    }
  });
  const followers = [follower(store), follower(store)];
  await append(2);
  for (const { done, seen } of followers) {
    await expect(done).rejects.toBe(broken);
    expect(seen).toEqual(await all());
  }
  const again = follower(store, await own.head());
  await append(2);
  await expect.poll(() => again.seen).toHaveLength(2);
  again.end();
});

test('a log whose end cannot be asked for fails who follows, and no one after them', async () => {
  const own = openMemoryEventStore();
  const head = vi.fn(own.head).mockRejectedValueOnce(new EventStoreUnavailableError('gone'));
  const store = sharedTail({ ...own, head });
  await expect(follower(store).done).rejects.toThrow('gone');
  const again = follower(store, BEGINNING, 1);
  await own.append('thing-1', 'no-stream', [someEvent()]);
  await again.done;
});
