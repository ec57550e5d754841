import type { EventOf } from '@forgelog/contracts/event.ts';
import { expect, test } from 'vitest';
import { defineProjection } from './define-projection.ts';
import { eq } from './query.ts';
import { defineCollection, endsWith } from './read-store.ts';
import { applyTo, projected, recorded } from './testing/projecting.ts';
import { BasketClosed, ItemAdded } from './testing/sample-domain.ts';

const items = defineCollection({
  name: 'items',
  key: 'id',
  fields: { id: 'text', basket: 'text' },
  indexes: [['basket']],
  ownedBy: [endsWith(BasketClosed, ({ basket }) => eq('basket', basket))],
});

const seenAtTheEnd: number[] = [];
const projection = defineProjection<EventOf<typeof ItemAdded> | EventOf<typeof BasketClosed>>({
  name: 'items',
  collections: [items],
  handles: [ItemAdded.type, BasketClosed.type],
  async project(event, documents) {
    const { basket } = event.data;
    if (event.type === 'ItemAdded') documents.put(items, { id: event.id, basket });
    else seenAtTheEnd.push((await documents.findAll(items, eq('basket', basket))).length);
  },
});

const added = (at: number, basket: string) =>
  recorded(at, { type: 'ItemAdded', data: { basket, amount: 1, note: 'x' } });
const closed = (at: number, basket: string) => recorded(at, { type: 'BasketClosed', data: { basket } });
const history = [added(1, 'a'), added(2, 'b'), added(3, 'a'), closed(4, 'a')];

test('documents are deleted with their owner, after the projection saw the event', async () => {
  const { all } = await projected(projection, history);
  expect((await all(items)).map(({ basket }) => basket)).toEqual(['b']);
  expect(seenAtTheEnd[0]).toBe(2);
});

test('the end of an owner is idempotent', async () => {
  const { all, readStore } = await projected(projection, history);
  await applyTo(readStore, projection, history);
  expect((await all(items)).map(({ basket }) => basket)).toEqual(['b']);
});

test('a projection that does not handle the end of an owner still deletes the documents', async () => {
  const unaware = defineProjection<EventOf<typeof ItemAdded>>({
    name: 'items',
    collections: [items],
    handles: [ItemAdded.type],
    async project(event, documents) {
      documents.put(items, { id: event.id, basket: event.data.basket });
    },
  });
  expect(unaware.handles).toEqual([ItemAdded.type, BasketClosed.type]);
  const { all } = await projected(unaware, history);
  expect((await all(items)).map(({ basket }) => basket)).toEqual(['b']);
});

test('a projection can name further owners of its documents', async () => {
  const byItem = defineProjection<EventOf<typeof ItemAdded>>({
    name: 'items',
    collections: [items],
    handles: [ItemAdded.type],
    endings: [
      {
        collection: items,
        event: 'BasketRenamed',
        owned: (data) => eq('basket', (data as { before: string }).before),
      },
    ],
    async project(event, documents) {
      documents.put(items, { id: event.id, basket: event.data.basket });
    },
  });
  expect(byItem.handles).toEqual([ItemAdded.type, BasketClosed.type, 'BasketRenamed']);
  const renamed = recorded(7, { type: 'BasketRenamed', data: { before: 'b' } });
  const { all } = await projected(byItem, [...history, added(6, 'c'), renamed]);
  expect((await all(items)).map(({ basket }) => basket)).toEqual(['c']);
});

test('a batch deletes its own documents and stored ones', async () => {
  const { all, readStore } = await projected(projection, history.slice(0, 2));
  await applyTo(readStore, projection, [added(3, 'a'), closed(4, 'a')]);
  expect((await all(items)).map(({ basket }) => basket)).toEqual(['b']);
});

test('an owner with many documents ends with turns of the event loop for others', async () => {
  const many = Array.from({ length: 5_000 }, (_, at) => added(at + 1, at % 50 === 0 ? 'b' : 'a'));
  const { readStore, all } = await projected(projection, many);
  let turns = 0;
  let isOn = true;
  const count = () => {
    turns += 1;
    if (isOn) setImmediate(count);
  };
  setImmediate(count);
  // Documents of the batch itself end as those that are stored.
  await applyTo(readStore, projection, [added(5_001, 'a'), closed(5_002, 'a'), added(5_003, 'b')]);
  isOn = false;
  expect(turns).toBeGreaterThanOrEqual(2);
  expect((await all(items)).map(({ basket }) => basket)).toEqual(Array.from({ length: 101 }, () => 'b'));
});
