import type { DomainEvent } from '@forgelog/contracts/event.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import type { AnyCollection, DocumentOf } from '@forgelog/eventing/read-store.ts';
import { projected, recorded } from '@forgelog/eventing/testing/projecting.ts';
import { expect } from 'vitest';

/**
 * `await givenEvents(projection, ...events).thenDocuments(collection, [...])`. Each event is applied twice, as after a
 * crash, by actor 1, a second after the one before.
 */
export function givenEvents(projection: Projection, ...events: readonly DomainEvent[]) {
  return {
    async documents<C extends AnyCollection>(collection: C): Promise<DocumentOf<C>[]> {
      const recordedEvents = events.map((event, at) => recorded(at + 1, event, { actorId: 1 }));
      return (await projected(projection, recordedEvents)).all(collection);
    },
    /** The documents in the order of their keys, each with these fields at least. */
    async thenDocuments<C extends AnyCollection>(
      collection: C,
      expected: readonly Partial<DocumentOf<C>>[],
    ): Promise<void> {
      const found = await this.documents(collection);
      expect(found).toHaveLength(expected.length);
      expect(found).toMatchObject(expected);
    },
  };
}
