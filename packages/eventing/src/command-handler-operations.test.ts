import { describe, expect, test } from 'vitest';
import { openMemoryEventStore } from './adapters/memory/memory-event-store.ts';
import { type CommandHandler, ConflictError } from './command-handler.ts';
import { SYSTEM_METADATA } from './event.ts';
import { newEventId } from './event-id.ts';
import { EventStoreUnavailableError } from './event-store.ts';
import {
  addItem,
  BasketClosedError,
  basketDecider,
  closeBasket,
  handlerOn,
} from './testing/sample-domain.ts';

const STREAM = 'basket-1';
const add = (handler: CommandHandler, operationId: string, amount = 1, more: object = {}) =>
  handler.handle(basketDecider, STREAM, addItem('1', amount), SYSTEM_METADATA, { operationId, ...more });

describe('a command of an operation', () => {
  test('is done once, and gives the same events when it is asked for again', async () => {
    const store = openMemoryEventStore();
    const handler = handlerOn(store);
    const operationId = newEventId();
    const first = await add(handler, operationId);
    await add(handler, newEventId());
    const again = await add(handler, operationId);
    expect(again.events).toMatchObject(first.events);
    expect(again.position).toBe(first.position);
    expect(await store.readStream(STREAM)).toHaveLength(2);
  });

  test('leaves events that another process finds by its id', async () => {
    const store = openMemoryEventStore();
    const operationId = newEventId();
    const known = handlerOn(store);
    expect(await known.eventsOf(basketDecider, STREAM, operationId)).toBeUndefined();
    const { events } = await add(handlerOn(store), operationId);
    await add(handlerOn(store), newEventId());
    expect(await known.eventsOf(basketDecider, STREAM, operationId)).toMatchObject(events);
  });

  test('is done once where a new process is asked again', async () => {
    const store = openMemoryEventStore();
    const operationId = newEventId();
    const first = await add(handlerOn(store), operationId);
    expect((await add(handlerOn(store), operationId)).events).toMatchObject(first.events);
    expect(await store.readStream(STREAM)).toHaveLength(1);
  });

  test('is done once where two processes are asked at the same time', async () => {
    const store = openMemoryEventStore();
    const [one, other] = [handlerOn(store), handlerOn(store)];
    const operationId = newEventId();
    const [first, second] = await Promise.all([add(one, operationId), add(other, operationId)]);
    expect(first.events.map(({ id }) => id)).toEqual(second.events.map(({ id }) => id));
    expect(await store.readStream(STREAM)).toHaveLength(1);
  });

  test('is done once where the log stored it and its answer was lost', async () => {
    const store = openMemoryEventStore();
    let isCut = true;
    const handler = handlerOn({
      ...store,
      async append(...appended) {
        const result = await store.append(...appended);
        if (isCut) throw new EventStoreUnavailableError('cut');
        return result;
      },
    });
    const operationId = newEventId();
    await expect(add(handler, operationId)).rejects.toThrow(EventStoreUnavailableError);
    isCut = false;
    const [stored] = await store.readStream(STREAM);
    expect((await add(handler, operationId)).events[0]!.id).toBe(stored!.id);
    expect(await store.readStream(STREAM)).toHaveLength(1);
  });

  test('is found by a process whose state of the stream is from before it, also where it would be rejected now', async () => {
    const store = openMemoryEventStore();
    const [one, other] = [handlerOn(store), handlerOn(store)];
    await add(one, newEventId());
    const operationId = newEventId();
    const first = await add(other, operationId);
    await other.handle(basketDecider, STREAM, closeBasket('1'), SYSTEM_METADATA);
    expect((await add(one, operationId)).events).toMatchObject(first.events);
    await expect(add(one, newEventId())).rejects.toThrow(BasketClosedError);
  });

  test('is found where it had to be at one revision, or the first of its stream', async () => {
    const store = openMemoryEventStore();
    const [one, other] = [handlerOn(store), handlerOn(store)];
    const [first, second] = [newEventId(), newEventId()];
    const made = await add(one, first, 1, { mustBeNew: true });
    expect((await add(other, first, 1, { mustBeNew: true })).events).toMatchObject(made.events);
    await expect(add(other, newEventId(), 1, { mustBeNew: true })).rejects.toThrow(ConflictError);
    const next = await add(one, second, 1, { at: 0 });
    expect((await add(other, second, 1, { at: 0 })).events).toMatchObject(next.events);
    await expect(add(other, newEventId(), 1, { at: 0 })).rejects.toThrow(ConflictError);
    expect(await store.readStream(STREAM)).toHaveLength(2);
  });

  test('that changed nothing leaves no trace, and is decided anew', async () => {
    const handler = handlerOn(openMemoryEventStore());
    const close = (operationId: string) =>
      handler.handle(basketDecider, STREAM, closeBasket('1'), SYSTEM_METADATA, { operationId });
    await close(newEventId());
    const operationId = newEventId();
    expect((await close(operationId)).events).toEqual([]);
    expect((await close(operationId)).events).toEqual([]);
  });

  test('has events of its own in each stream', async () => {
    const store = openMemoryEventStore();
    const handler = handlerOn(store);
    const operationId = newEventId();
    await add(handler, operationId);
    await handler.handle(basketDecider, 'basket-2', addItem('2'), SYSTEM_METADATA, { operationId });
    expect(await store.readStream('basket-2')).toHaveLength(1);
  });
});
