import { expect, test, vi } from 'vitest';
import { openMemoryEventStore } from './adapters/memory/memory-event-store.ts';
import { ConflictError } from './command-handler.ts';
import { BEGINNING, SYSTEM_METADATA } from './event.ts';
import { InvalidEventError } from './event-catalogue.ts';
import { newEventId } from './event-id.ts';
import { WrongExpectedRevisionError } from './event-store.ts';
import { ProjectionLagError, UnseenAppendError } from './position-waiters.ts';
import {
  addItem,
  BasketClosedError,
  basketDecider,
  closeBasket,
  handlerOn,
  ItemAdded,
} from './testing/sample-domain.ts';

const stream = 'basket-1';
const none = SYSTEM_METADATA;

test('appends the decided events with their envelope and returns the new state', async () => {
  const store = openMemoryEventStore();
  const caughtUp = vi.fn(async () => {});
  const metadata = { ...none, actorId: 7 };
  const handled = await handlerOn(store, caughtUp).handle(basketDecider, stream, addItem('1', 5), metadata);
  expect(handled).toMatchObject({ state: { total: 5, closed: false }, revision: 0 });
  const read = await store.readStream(stream);
  expect(read).toEqual(handled.events.map((event) => ({ ...event, position: expect.any(String) })));
  expect(handled.events[0]).toMatchObject({ schemaVersion: 2, time: '1970-01-01T00:00:00.000Z', metadata });
  expect(caughtUp).toHaveBeenCalledExactlyOnceWith(read[0]?.position);
});

test('waits for the projections if asked to', async () => {
  const store = openMemoryEventStore();
  const caughtUp = vi.fn(async () => {});
  const handler = handlerOn(store, caughtUp);
  const options = { unprojected: true };
  const { position } = await handler.handle(basketDecider, stream, addItem('1', 5), none, options);
  expect(position).toBe(await store.head());
  expect(caughtUp).not.toHaveBeenCalled();
  await handler.projected(position!);
  expect(caughtUp).toHaveBeenCalledExactlyOnceWith(position);
  caughtUp.mockRejectedValue(new ProjectionLagError('late'));
  await expect(handler.projected(position!)).rejects.toThrow(UnseenAppendError);
});

test('concurrent commands on one stream run in sequence', async () => {
  const store = openMemoryEventStore();
  const append = vi.spyOn(store, 'append');
  const handler = handlerOn(store);
  await Promise.all(
    Array.from({ length: 40 }, () => handler.handle(basketDecider, stream, addItem('1'), none)),
  );
  expect(append).toHaveBeenCalledTimes(40);
  expect(await handler.load(basketDecider, stream)).toEqual({
    state: { total: 40, closed: false },
    revision: 39,
  });
});

test('two processes on one stream both succeed', async () => {
  const store = openMemoryEventStore();
  const [one, other] = [handlerOn(store), handlerOn(store)];
  for (let i = 0; i < 20; i++)
    await Promise.all([one, other].map((each) => each.handle(basketDecider, stream, addItem('1'), none)));
  expect((await one.load(basketDecider, stream)).state.total).toBe(40);
});

test('a rejection, or an empty decision, counts only in the newest state', async () => {
  const store = openMemoryEventStore();
  const [one, other] = [handlerOn(store), handlerOn(store)];
  await one.handle(basketDecider, stream, closeBasket('1'), none);
  await expect(one.handle(basketDecider, stream, addItem('1'), none)).rejects.toThrow(BasketClosedError);
  await expect(other.handle(basketDecider, stream, addItem('1'), none)).rejects.toThrow(BasketClosedError);
  const again = await other.handle(basketDecider, stream, closeBasket('1'), none);
  expect(again).toMatchObject({ events: [], revision: 0 });
  expect(await store.readAll({ after: BEGINNING, limit: 9 })).toHaveLength(1);

  await one.handle(basketDecider, 'basket-2', addItem('2'), none);
  const reopening = {
    ...basketDecider,
    decide: (_: unknown, state: { total: number }) => {
      if (state.total < 2) throw new Error('too early');
      return [];
    },
  };
  await one.load(reopening, 'basket-2');
  await other.handle(basketDecider, 'basket-2', addItem('2'), none);
  expect(await one.handle(reopening, 'basket-2', addItem('2'), none)).toMatchObject({ state: { total: 2 } });
});

test('fails after three retries', async () => {
  const store = openMemoryEventStore();
  const append = vi
    .spyOn(store, 'append')
    .mockRejectedValue(new WrongExpectedRevisionError(stream, 'no-stream', 3));
  const failing = handlerOn(store).handle(basketDecider, stream, addItem('1'), none);
  await expect(failing).rejects.toThrow(ConflictError);
  expect(append).toHaveBeenCalledTimes(4);
});

test('a stream that must be new is not appended to', async () => {
  const handler = handlerOn(openMemoryEventStore());
  const open = () => handler.handle(basketDecider, stream, addItem('1'), none, { mustBeNew: true });
  const results = await Promise.allSettled([open(), open(), open()]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(results[1]).toMatchObject({ reason: expect.any(ConflictError) });
  await handler.handle(basketDecider, stream, addItem('1'), none);
  expect((await handler.load(basketDecider, stream)).state.total).toBe(2);
});

test('a command for one revision is neither decided nor appended at another', async () => {
  const store = openMemoryEventStore();
  const [handler, other] = [handlerOn(store), handlerOn(store)];
  const add = (at: number) => handler.handle(basketDecider, stream, addItem('1'), none, { at });
  await expect(add(0)).rejects.toThrow(ConflictError);
  await handler.handle(basketDecider, stream, addItem('1'), none);
  expect(await add(0)).toMatchObject({ revision: 1 });
  // The handler sees another process's append, even after a rejection.
  await other.handle(basketDecider, stream, closeBasket('1'), none);
  await expect(add(1)).rejects.toThrow(ConflictError);
  await expect(add(2)).rejects.toThrow(BasketClosedError);
  expect(await store.readStream(stream)).toHaveLength(3);
});

test('appends without a decider, and the next command sees it', async () => {
  const handler = handlerOn(openMemoryEventStore());
  await handler.handle(basketDecider, stream, addItem('1'), none);
  const event = { type: 'BasketClosed', data: { basket: '1' } };
  expect(await handler.append(stream, 0, [event], none)).toMatchObject({ revision: 1 });
  await expect(handler.append(stream, 0, [event], none)).rejects.toThrow(WrongExpectedRevisionError);
  await expect(handler.append(stream, 1, [{ type: 'BasketClosed', data: {} }], none)).rejects.toThrow(
    InvalidEventError,
  );
  await expect(handler.handle(basketDecider, stream, addItem('1'), none)).rejects.toThrow(BasketClosedError);
});

test('states include events of earlier versions', async () => {
  const store = openMemoryEventStore();
  const data = { basket: '1', amount: 3 };
  await store.append(stream, 'no-stream', [
    { id: newEventId(), type: ItemAdded.type, schemaVersion: 1, time: '', data, metadata: none },
  ]);
  expect((await handlerOn(store).load(basketDecider, stream)).state.total).toBe(3);
});

test('the state as of an earlier revision is loaded, and the newest stays known', async () => {
  const handler = handlerOn(openMemoryEventStore());
  for (const amount of [1, 2, 4]) await handler.handle(basketDecider, stream, addItem('1', amount), none);
  expect(await handler.load(basketDecider, stream, { at: 1 })).toMatchObject({
    state: { total: 3 },
    revision: 1,
  });
  expect(await handler.load(basketDecider, stream, { at: 9 })).toMatchObject({ revision: 2 });
  expect((await handler.load(basketDecider, stream)).state.total).toBe(7);
});
