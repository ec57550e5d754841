import { defineEvent, type EventOf } from '@forgelog/contracts/event.ts';
import { IdsReserved } from '@forgelog/contracts/shared/id.events.ts';
import { z } from 'zod';
import { openMemoryEventStore } from '../adapters/memory/memory-event-store.ts';
import { openMemoryReadStore } from '../adapters/memory/memory-read-store.ts';
import { type CommandHandler, createCommandHandler } from '../command-handler.ts';
import type { Decider } from '../decider.ts';
import type { Position } from '../event.ts';
import { createCatalogue } from '../event-catalogue.ts';
import { newEventId } from '../event-id.ts';
import type { EventStore } from '../event-store.ts';
import type { Log } from '../log-sink.ts';
import type { Projection } from '../projection.ts';
import { createProjectors, type Projectors, type ProjectorsOptions } from '../projector.ts';
import { desc, eq } from '../query.ts';
import { type DocumentOf, defineCollection } from '../read-store.ts';

/* A sample domain for tests: baskets that take items and can be closed. */

export const ItemAdded = defineEvent({
  type: 'ItemAdded',
  version: 2,
  description: 'A basket took an item.',
  subject: 'basket-<basket>',
  service: 'test',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({ basket: z.string(), amount: z.int(), note: z.string() }),
  upcast: { 1: (data: { basket: string; amount: number }) => ({ ...data, note: 'none' }) },
});
export const BasketClosed = defineEvent({
  type: 'BasketClosed',
  version: 1,
  description: 'A basket was closed.',
  subject: 'basket-<basket>',
  service: 'test',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({ basket: z.string() }),
});
export const catalogue = createCatalogue([ItemAdded, BasketClosed, IdsReserved]);

export type BasketEvent = EventOf<typeof ItemAdded> | EventOf<typeof BasketClosed>;
export interface BasketState {
  total: number;
  closed: boolean;
}
export type BasketCommand =
  | { kind: 'AddItem'; basket: string; amount: number }
  | { kind: 'CloseBasket'; basket: string };
export class BasketClosedError extends Error {}

export const basketDecider: Decider<BasketState, BasketCommand, BasketEvent> = {
  initialState: { total: 0, closed: false },
  decide(command, state) {
    const { basket } = command;
    switch (command.kind) {
      case 'AddItem':
        if (state.closed) throw new BasketClosedError(basket);
        return [{ type: 'ItemAdded', data: { basket, amount: command.amount, note: 'x' } }];
      case 'CloseBasket':
        return state.closed ? [] : [{ type: 'BasketClosed', data: { basket } }];
      default:
        return command satisfies never;
    }
  },
  evolve(state, event) {
    switch (event.type) {
      case 'ItemAdded':
        return { ...state, total: state.total + event.data.amount };
      case 'BasketClosed':
        return { ...state, closed: true };
      default:
        return event satisfies never;
    }
  },
};

export const addItem = (basket: string, amount = 1): BasketCommand => ({ kind: 'AddItem', basket, amount });
export const closeBasket = (basket: string): BasketCommand => ({ kind: 'CloseBasket', basket });

export const baskets = defineCollection({
  name: 'baskets',
  key: 'id',
  fields: { id: 'text', total: 'integer', items: 'integer', rank: 'integer', amounts: 'integer[]' },
  indexes: [['-total'], ['amounts']],
});
export const closings = defineCollection({
  name: 'closings',
  key: 'basket',
  fields: { basket: 'text', slot: 'integer' },
  indexes: [],
  unique: [['slot']],
});

/** Counts the items of each basket; a closed basket is deleted. `rank` is the number of fuller baskets at that time. */
export function basketProjection(name = 'baskets', collection = baskets): Projection {
  return {
    name,
    collections: [collection],
    handles: ['ItemAdded', 'BasketClosed'],
    async project(recorded, documents) {
      const event = recorded as unknown as BasketEvent;
      const id = event.data.basket;
      if (event.type === 'BasketClosed') return documents.delete(collection, id);
      const before: DocumentOf<typeof baskets> = (await documents.get(collection, id)) ?? {
        id,
        total: 0,
        items: 0,
        rank: 0,
        amounts: [],
      };
      const total = before.total + event.data.amount;
      const amounts = [...before.amounts, event.data.amount];
      const fuller = await documents.find(collection, {
        sort: [desc('total')],
        limit: 5,
        where: eq('items', 1),
      });
      const rank = fuller.filter((other) => other.total > total).length;
      documents.put(collection, { ...before, total, items: before.items + 1, rank, amounts });
    },
  };
}

export const quiet: Log = { info() {}, error() {} };
export const clock = () => new Date(0);

export function handlerOn(
  store: EventStore,
  caughtUp: (position: Position) => Promise<void> = async () => {},
): CommandHandler {
  return createCommandHandler({ store, catalogue, clock, newId: newEventId, caughtUp });
}

export async function startSystem(options: Partial<ProjectorsOptions> = {}) {
  const store = options.store ?? openMemoryEventStore();
  const readStore = options.readStore ?? openMemoryReadStore();
  const projections = options.projections ?? [basketProjection()];
  const projectors: Projectors = createProjectors({
    catalogue,
    log: quiet,
    policyPauseMs: 1,
    ...options,
    store,
    readStore,
    projections,
  });
  await projectors.start();
  return { store, readStore, projections, projectors, handler: handlerOn(store, projectors.caughtUp) };
}
