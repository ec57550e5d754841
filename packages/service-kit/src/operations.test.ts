import type { Rejection } from '@forgelog/contracts/errors.ts';
import { openMemoryEventStore } from '@forgelog/eventing/adapters/memory/memory-event-store.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import { basketDecider, closeBasket, handlerOn } from '@forgelog/eventing/testing/sample-domain.ts';
import { describe, expect, test } from 'vitest';
import type { Operations } from './operations.ts';
import {
  answerOddly,
  askingAt,
  fillBasket,
  inOneProcess,
  readBasket,
  readLate,
  root,
  serveOperations,
  writeLate,
} from './testing/sample-operations.ts';

const fill = (operations: Operations, operationId = newEventId(), principal: typeof root | null = root) =>
  operations.call(
    fillBasket,
    { basket: '1', amount: 2 },
    { principal, operationId, metadata: SYSTEM_METADATA },
  );
const read = (operations: Operations, principal: typeof root | null = null) =>
  operations.call(readBasket, { basket: '1' }, { principal });
const refusalOf = (call: Promise<unknown>): Promise<Rejection> =>
  call.then(
    () => {
      throw new Error('it was answered');
    },
    (error) => error,
  );
const writing = () => ({ principal: root, operationId: newEventId(), metadata: SYSTEM_METADATA });
const stored = (store: EventStore) => store.readStream('basket-1');

/** Creates the operations, answered in this process or over the network. */
const WAYS: Record<string, (store: EventStore) => Promise<Operations>> = {
  'in one process': async (store) => inOneProcess(store),
  'over the network': async (store) => askingAt([await serveOperations(store)]),
};

describe.each(Object.entries(WAYS))('operations %s', (_, start) => {
  test('answer a request for its principal', async () => {
    const operations = await start(openMemoryEventStore());
    expect(await fill(operations)).toEqual({ eventId: expect.any(String), revision: 0 });
    expect(await read(operations, root)).toEqual({ total: 2, asker: 1 });
    expect(await read(operations)).toEqual({ total: 2, asker: null });
  });

  test('pass refusals on unchanged', async () => {
    const store = openMemoryEventStore();
    const operations = await start(store);
    const refusal = await refusalOf(fill(operations, newEventId(), null));
    expect(refusal).toMatchObject({ code: 'forbidden', details: { reason: 'nobody fills a basket' } });
    expect(await stored(store)).toEqual([]);
  });

  test('reject requests and answers that break the contract', async () => {
    const store = openMemoryEventStore();
    const operations = await start(store);
    const odd = { basket: '1', amount: 'two' } as never;
    await expect(operations.call(fillBasket, odd, writing())).rejects.toThrow(
      'operation basket-fill: the request breaks its contract',
    );
    expect(await stored(store)).toEqual([]);
    const answer = operations.call(answerOddly, {}, { principal: null });
    await expect(answer).rejects.toThrow(/^internal$|the answer breaks its contract/);
  });

  test('time out', async () => {
    const operations = await start(openMemoryEventStore());
    const late = await refusalOf(operations.call(readLate, {}, { principal: null }));
    expect(late).toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '2' } });
    const unknown = await refusalOf(operations.call(writeLate, {}, writing()));
    expect(unknown).toMatchObject({ code: 'unavailable', headers: {} });
  });

  test('that write are done once per id, repeated or concurrent', async () => {
    const store = openMemoryEventStore();
    const operations = await start(store);
    const operationId = newEventId();
    const [one, other] = await Promise.all([fill(operations, operationId), fill(operations, operationId)]);
    expect(one).toEqual(other);
    await fill(operations);
    expect(await fill(operations, operationId)).toEqual(one);
    expect(await stored(store)).toHaveLength(2);
  });

  test('that write repeat their answer after a restart, although they would be refused now', async () => {
    const store = openMemoryEventStore();
    const operationId = newEventId();
    const first = await fill(await start(store), operationId);
    await handlerOn(store).handle(basketDecider, 'basket-1', closeBasket('1'), SYSTEM_METADATA);
    const operations = await start(store);
    expect(await fill(operations, operationId)).toEqual(first);
    expect(await refusalOf(fill(operations))).toMatchObject({ code: 'conflict' });
  });
});
