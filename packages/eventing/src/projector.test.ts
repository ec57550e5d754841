import { expect, test, vi } from 'vitest';
import { openMemoryEventStore } from './adapters/memory/memory-event-store.ts';
import { openMemoryReadStore } from './adapters/memory/memory-read-store.ts';
import { BEGINNING, SYSTEM_METADATA } from './event.ts';
import { newEventId } from './event-id.ts';
import { ProjectionLagError } from './position-waiters.ts';
import type { Projection } from './projection.ts';
import { createProjectors } from './projector.ts';
import { asc, eq } from './query.ts';
import { defineCollection, type ReadStore } from './read-store.ts';
import { dump } from './rebuild.ts';
import {
  addItem,
  basketDecider,
  basketProjection,
  baskets,
  catalogue,
  closeBasket,
  closings,
  handlerOn,
  quiet,
  startSystem,
} from './testing/sample-domain.ts';

const none = SYSTEM_METADATA;
const other = { ...baskets, name: 'other_baskets' };

/** Fails at an amount of 13. */
function unlucky(): Projection {
  const projection = basketProjection('unlucky', other);
  return {
    ...projection,
    async project(event, documents) {
      await projection.project(event, documents);
      if ((event.data as { amount?: number }).amount === 13) throw new Error('unlucky');
    },
  };
}

test('an append is projected when the command returns', async () => {
  const { handler, readStore, projectors } = await startSystem();
  await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      handler.handle(basketDecider, `basket-${i % 3}`, addItem(`${i % 3}`, 2), none),
    ),
  );
  const found = await readStore.find(baskets, { sort: [asc('id')], limit: 9, where: eq('total', 34) });
  expect(found.map(({ id, items }) => [id, items])).toEqual([
    ['0', 17],
    ['1', 17],
  ]);
  await projectors.barrier();
  expect(projectors.status()).toMatchObject([{ projection: 'baskets', halted: null }]);
  await projectors.stop();
});

test('a batch reads and writes each document once, with the same result as single events', async () => {
  const store = openMemoryEventStore();
  const handler = handlerOn(store);
  for (let i = 0; i < 60; i++) {
    await handler.handle(basketDecider, `basket-${i % 7}`, addItem(`${i % 7}`, i), none);
    if (i === 40) await handler.handle(basketDecider, 'basket-6', closeBasket('6'), none);
    if (i === 40) break;
  }
  const write = vi.fn();
  const dumps: string[] = [];
  for (const batchSize of [1, 4, 1000]) {
    const readStore = openMemoryReadStore();
    const counting: ReadStore = {
      ...readStore,
      write(batch) {
        write(batch);
        return readStore.write(batch);
      },
    };
    const { projectors } = await startSystem({ store, readStore: counting, batchSize });
    dumps.push(await dump(readStore, [baskets]));
    await projectors.stop();
  }
  expect(dumps[1]).toBe(dumps[0]);
  expect(dumps[2]).toBe(dumps[0]);
  expect(dumps[0]?.split('\n')).toHaveLength(6);
  const last = write.mock.calls.at(-1)?.[0];
  expect(last.changes).toHaveLength(7);
});

test('a projection that throws halts before the event; the others continue, and no caller waits for it', async () => {
  const { handler, readStore, projectors, store } = await startSystem({
    projections: [unlucky(), basketProjection()],
  });
  const onHalt = vi.fn();
  projectors.onHalt(onHalt);
  await handler.handle(basketDecider, 'basket-1', addItem('1', 1), none);
  // One batch holds events before and after the failing one.
  await Promise.all(
    [2, 13, 3].map((amount) => handler.handle(basketDecider, 'basket-1', addItem('1', amount), none)),
  );
  await handler.handle(basketDecider, 'basket-1', addItem('1', 4), none);
  expect(await readStore.get(baskets, '1')).toMatchObject({ total: 23 });
  expect(await readStore.get(other, '1')).toMatchObject({ total: 3, amounts: [1, 2] });
  const [, , third] = await store.readStream('basket-1');
  const halted = { position: third?.position, error: new Error('unlucky') };
  expect(projectors.status()[0]).toMatchObject({ projection: 'unlucky', halted });
  expect(onHalt).toHaveBeenCalledTimes(1);
  await projectors.stop();

  const repaired = await startSystem({
    store,
    readStore,
    projections: [basketProjection('unlucky', other), basketProjection()],
  });
  expect(await readStore.get(other, '1')).toMatchObject({ total: 23, items: 5 });
  expect(await readStore.get(baskets, '1')).toMatchObject({ total: 23, items: 5 });
  await repaired.projectors.stop();
});

test('a unique conflict halts its projection at the event that caused it', async () => {
  const slots: Projection = {
    name: 'slots',
    collections: [closings],
    handles: ['BasketClosed'],
    async project(event, documents) {
      const { basket } = event.data as { basket: string };
      documents.put(closings, { basket, slot: Number(basket) % 3 });
    },
  };
  const store = openMemoryEventStore();
  const handler = handlerOn(store);
  for (const basket of ['0', '1', '5', '4', '2']) {
    await handler.handle(basketDecider, `basket-${basket}`, addItem(basket), none);
    await handler.handle(basketDecider, `basket-${basket}`, closeBasket(basket), none);
  }
  const { projectors, readStore } = await startSystem({ store, projections: [slots, basketProjection()] });
  expect((await readStore.find(closings, { limit: 9 })).map(({ basket }) => basket)).toEqual(['0', '1', '5']);
  expect(await readStore.count(baskets, { atMost: 9 })).toBe(0);
  const status = projectors.status();
  expect(status.map(({ halted }) => halted !== null)).toEqual([true, false]);
  expect(status[0]?.halted?.position).toBe((await store.readStream('basket-4'))[1]?.position);
  await projectors.stop();
});

test('events already applied with a lost checkpoint change nothing', async () => {
  const { handler, readStore, projectors, store } = await startSystem();
  for (let i = 1; i < 9; i++)
    await handler.handle(basketDecider, `basket-${i % 2}`, addItem(`${i % 2}`, i), none);
  const before = await dump(readStore, [baskets]);
  await projectors.stop();
  const [, second] = await store.readAll({ after: BEGINNING, limit: 9 });
  for (const position of [BEGINNING, second?.position as string]) {
    await readStore.write({ changes: [], checkpoints: new Map([['baskets', position]]) });
    const again = await startSystem({ store, readStore });
    expect(await dump(readStore, [baskets])).toBe(before);
    const passing = `passing${position}`;
    await again.handler.handle(basketDecider, `basket-${passing}`, addItem(passing), none);
    await again.handler.handle(basketDecider, `basket-${passing}`, closeBasket(passing), none);
    await again.projectors.stop();
  }
});

test('a new projection catches up while the others continue', async () => {
  const { handler, readStore, projectors, store } = await startSystem();
  for (let i = 0; i < 9; i++) await handler.handle(basketDecider, 'basket-1', addItem('1'), none);
  await projectors.stop();
  const old = basketProjection();
  const project = vi.fn(old.project);
  const again = await startSystem({
    store,
    readStore,
    projections: [{ ...old, project }, basketProjection('new', other)],
  });
  expect(project).not.toHaveBeenCalled();
  expect(await readStore.get(other, '1')).toMatchObject({ total: 9 });
  await again.handler.handle(basketDecider, 'basket-1', addItem('1'), none);
  expect(project).toHaveBeenCalledTimes(1);
  await again.projectors.stop();
});

test('a projection with a changed collection restarts', async () => {
  const { handler, readStore, projectors, store } = await startSystem();
  await handler.handle(basketDecider, 'basket-1', addItem('1', 3), none);
  await projectors.stop();
  const changed = defineCollection({ ...baskets, fields: { ...baskets.fields, extra: 'json?' } });
  const again = await startSystem({ store, readStore, projections: [basketProjection('baskets', changed)] });
  expect(await readStore.get(changed, '1')).toMatchObject({ total: 3, extra: null });
  await again.projectors.stop();
});

test('read models ahead of a restored log restart', async () => {
  const { handler, readStore, projectors } = await startSystem();
  for (let i = 0; i < 3; i++) await handler.handle(basketDecider, `basket-${i}`, addItem(`${i}`), none);
  await projectors.stop();
  const store = openMemoryEventStore();
  await handlerOn(store).handle(basketDecider, 'basket-7', addItem('7'), none);
  const again = await startSystem({ store, readStore });
  expect((await readStore.find(baskets, { limit: 9 })).map(({ id }) => id)).toEqual(['7']);
  await again.projectors.stop();
});

test('events that no projection handles are passed by without a write, and saved now and then', async () => {
  const write = vi.fn();
  const memory = openMemoryReadStore();
  const readStore: ReadStore = {
    ...memory,
    write(batch) {
      write(batch);
      return memory.write(batch);
    },
  };
  const { store, projectors } = await startSystem({ readStore });
  const append = (at: number) =>
    store.append(`other-${at}`, 'no-stream', [
      { id: newEventId(), type: 'Elsewhere', schemaVersion: 1, time: '', data: {}, metadata: none },
    ]);
  for (let at = 0; at < 49; at += 1) {
    await append(at);
    await projectors.barrier();
  }
  expect(write).not.toHaveBeenCalled();
  expect(projectors.status()).toMatchObject([{ position: await store.head(), halted: null }]);
  await append(49);
  await projectors.barrier();
  expect(write.mock.calls).toEqual([
    [{ changes: [], checkpoints: new Map([['baskets', await store.head()]]) }],
  ]);
  await projectors.stop();
});

test('applied is called after the documents are readable', async () => {
  const told: unknown[] = [];
  const readStore = openMemoryReadStore();
  const projection: Projection = {
    ...basketProjection(),
    applied: (events) =>
      void readStore.get(baskets, '1').then((document) => told.push([events.length, document?.total])),
  };
  const { handler, projectors } = await startSystem({ readStore, projections: [projection] });
  await handler.handle(basketDecider, 'basket-1', addItem('1', 3), none);
  expect(told).toEqual([[1, 3]]);
  await projectors.stop();
});

test('a failing read store is retried, and waits time out meanwhile', async () => {
  const readStore = openMemoryReadStore();
  let broken = false;
  const write: ReadStore['write'] = async (batch) => {
    if (broken) throw new Error('disk full');
    await readStore.write(batch);
  };
  const { handler, projectors } = await startSystem({ readStore: { ...readStore, write }, timeoutMs: 20 });
  broken = true;
  await expect(handler.handle(basketDecider, 'basket-1', addItem('1'), none)).rejects.toMatchObject({
    name: 'UnseenAppendError',
    cause: expect.any(ProjectionLagError),
  });
  await expect(projectors.barrier({ timeoutMs: 5 })).rejects.toThrow(ProjectionLagError);
  broken = false;
  await projectors.barrier({ timeoutMs: 2000 });
  expect(await readStore.get(baskets, '1')).toMatchObject({ total: 1 });
  await projectors.stop();
});

test('two projections share no name and no collection', () => {
  const create =
    (...projections: Projection[]) =>
    () =>
      createProjectors({
        store: openMemoryEventStore(),
        readStore: openMemoryReadStore(),
        catalogue,
        projections,
        log: quiet,
      });
  expect(create(basketProjection(), basketProjection('baskets', other))).toThrow(/named baskets/);
  expect(create(basketProjection(), basketProjection('others'))).toThrow(/both write/);
});

test.each([
  ['happened nevertheless', true],
  ['did not happen', false],
])('a write that failed and %s applies each event once', async (_, happens) => {
  const readStore = openMemoryReadStore();
  let failures = 0;
  const failing: ReadStore = {
    ...readStore,
    async write(batch) {
      const fails = batch.changes.some(({ kind }) => kind === 'delete') && failures++ === 0;
      if (!fails || happens) await readStore.write(batch);
      if (fails) throw new Error('connection lost');
    },
  };
  const applied: string[] = [];
  const strict: Projection = {
    ...basketProjection(),
    async project(event, documents) {
      const { basket } = event.data as { basket: string };
      const there = await documents.get(baskets, basket);
      if (event.type === 'BasketClosed' && !there) throw new Error('closed before it was there');
      await basketProjection().project(event, documents);
    },
    applied: (events) => applied.push(...events.map(({ type }) => type)),
  };
  const { handler, projectors } = await startSystem({ readStore: failing, projections: [strict] });
  await handler.handle(basketDecider, 'basket-1', addItem('1'), none);
  await handler.handle(basketDecider, 'basket-1', closeBasket('1'), none);
  await handler.handle(basketDecider, 'basket-2', addItem('2'), none);
  expect(failures).toBeGreaterThan(0);
  expect(projectors.status()).toMatchObject([{ halted: null }]);
  expect(applied).toEqual(['ItemAdded', 'BasketClosed', 'ItemAdded']);
  expect(await readStore.get(baskets, '1')).toBeUndefined();
  expect(await readStore.get(baskets, '2')).toMatchObject({ items: 1 });
  await projectors.stop();
});

test('a stop lets a running reaction see its own append', async () => {
  const store = openMemoryEventStore();
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const reacted = Promise.withResolvers<void>();
  const projectors = createProjectors({
    store,
    readStore: openMemoryReadStore(),
    catalogue,
    projections: [basketProjection()],
    policies: [
      {
        name: 'doubling',
        handles: ['ItemAdded'],
        actsAs: {},
        async react() {
          entered.resolve();
          await gate.promise;
          const handler = handlerOn(store, (position) =>
            projectors.caughtUp(position, { timeoutMs: 600_000 }),
          );
          await handler.handle(basketDecider, 'basket-2', addItem('2', 1), none);
          reacted.resolve();
        },
      },
    ],
    log: quiet,
    reactionMs: 600_000,
  });
  await projectors.start();
  await handlerOn(store).handle(basketDecider, 'basket-1', addItem('1', 1), none);
  await entered.promise;
  const stopped = projectors.stop();
  gate.resolve();
  await Promise.all([stopped, reacted.promise]);
});

test('waiters for a stopped projector fail at once', async () => {
  const { projectors } = await startSystem();
  const waiting = projectors.caughtUp('9'.repeat(33), { timeoutMs: 600_000 });
  const told = expect(waiting).rejects.toThrow(ProjectionLagError);
  await projectors.stop();
  await told;
});

test('a subscription that ends at once, as one of a closed log does, is not renewed without pause', async () => {
  const store = openMemoryEventStore();
  let subscribed = 0;
  const policy = { name: 'idle', handles: [], actsAs: {}, async react() {} };
  const { projectors } = await startSystem({
    policies: [policy],
    store: {
      ...store,
      subscribe(options) {
        subscribed += 1;
        // In the end it follows: a loop that never pauses would keep everything else from running.
        return subscribed < 10_000 ? (async function* () {})() : store.subscribe(options);
      },
    },
  });
  await new Promise((done) => setTimeout(done, 350));
  expect(subscribed).toBeLessThan(50);
  await projectors.stop();
});
