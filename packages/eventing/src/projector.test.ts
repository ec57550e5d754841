import { expect, test } from 'vitest';
import { z } from 'zod';
import { openMemoryEventStore } from './adapters/memory/memory-event-store.ts';
import { openMemoryReadStore } from './adapters/memory/memory-read-store.ts';
import { createCommandHandler } from './command-handler.ts';
import type { Decider } from './decider.ts';
import { SYSTEM_METADATA } from './event.ts';
import { createCatalogue, defineEvent, type EventOf } from './event-catalogue.ts';
import { newEventId } from './event-id.ts';
import type { Projection } from './projection.ts';
import { createProjectors } from './projector.ts';
import { asc, eq } from './query.ts';
import { type DocumentOf, defineCollection } from './read-store.ts';

const ItemAdded = defineEvent({
  type: 'ItemAdded',
  version: 1,
  service: 'test',
  schema: z.object({ basket: z.string(), amount: z.int() }),
});
type Added = EventOf<typeof ItemAdded>;

const basket: Decider<number, { amount: number; basket: string }, Added> = {
  initialState: 0,
  decide: ({ basket, amount }) => (amount === 0 ? [] : [{ type: 'ItemAdded', data: { basket, amount } }]),
  evolve: (sum, event) => sum + event.data.amount,
};

const baskets = defineCollection({
  name: 'baskets',
  key: 'id',
  fields: { id: 'text', total: 'integer', events: 'integer' },
  indexes: [['total']],
});

const totals: Projection = {
  name: 'totals',
  collections: [baskets],
  handles: ['ItemAdded'],
  async project(event, documents) {
    const { basket: id, amount } = event.data as Added['data'];
    if (amount === 13) throw new Error('unlucky');
    const before = await documents.get(baskets, id);
    const document: DocumentOf<typeof baskets> = {
      id,
      total: (before?.total ?? 0) + amount,
      events: (before?.events ?? 0) + 1,
    };
    documents.put(baskets, document);
  },
};

test('quick', async () => {
  const store = openMemoryEventStore();
  const readStore = openMemoryReadStore();
  const catalogue = createCatalogue([ItemAdded]);
  const log = { info() {}, error: console.error };
  const projectors = createProjectors({ store, readStore, catalogue, projections: [totals], log });
  const handler = createCommandHandler({
    store,
    catalogue,
    clock: () => new Date(),
    newId: newEventId,
    settled: projectors.settled,
  });
  await projectors.start();
  await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      handler.handle(basket, `basket-${i % 3}`, { amount: 2, basket: `${i % 3}` }, SYSTEM_METADATA),
    ),
  );
  expect(await readStore.find(baskets, { sort: [asc('id')], limit: 10, where: eq('total', 34) })).toEqual([
    { id: '0', total: 34, events: 17 },
    { id: '1', total: 34, events: 17 },
  ]);
  await projectors.stop();
});
