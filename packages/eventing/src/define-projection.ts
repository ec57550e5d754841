import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { recordsEndedEvents } from '@forgelog/contracts/shared/records-ended.events.ts';
import { countEnded, endedRecordsCollection, forgetTold, unannouncedEndsOf } from './ended-records.ts';
import type { RecordedEvent } from './event.ts';
import type { Projection, ProjectionDocuments } from './projection.ts';
import type { AnyCollection, Ownership } from './read-store.ts';

export type Recorded<E extends DomainEvent> =
  E extends DomainEvent<infer Type, infer Data> ? RecordedEvent<Type, Data> : never;

export interface Ending extends Ownership {
  collection: AnyCollection;
}

const TOLD: readonly string[] = recordsEndedEvents.map(({ type }) => type);

/** Deletes documents after `project` saw the event that ends their owner. `endings` adds owners to those in `ownedBy`. */
export function defineProjection<E extends DomainEvent>(projection: {
  name: string;
  collections: Projection['collections'];
  handles: readonly E['type'][];
  endings?: readonly Ending[];
  project(event: Recorded<E>, documents: ProjectionDocuments): Promise<void>;
  applied?(events: readonly Recorded<E>[]): void;
}): Projection {
  const { collections } = projection;
  const handled = new Set<string>(projection.handles);
  const declared = collections.flatMap((collection: AnyCollection) =>
    (collection.ownedBy ?? []).map((ownership) => ({ collection, ...ownership })),
  );
  const endings: readonly Ending[] = [...declared, ...(projection.endings ?? [])];
  const counted = new Set(
    endings.filter(({ event, collection }) => unannouncedEndsOf(collection).includes(event)),
  );
  const counts = counted.size > 0 ? endedRecordsCollection(projection.name) : undefined;
  return {
    ...(projection as unknown as Projection),
    collections: counts ? [...collections, counts] : collections,
    handles: [
      ...new Set([...projection.handles, ...endings.map(({ event }) => event), ...(counts ? TOLD : [])]),
    ],
    async project(event, documents) {
      if (handled.has(event.type)) await projection.project(event as Recorded<E>, documents);
      for (const ending of endings) {
        if (ending.event !== event.type) continue;
        const count = await documents.endAll(ending.collection, ending.owned(event.data));
        if (counts && counted.has(ending)) countEnded(event, ending.collection, count, counts, documents);
      }
      if (counts && TOLD.includes(event.type)) await forgetTold(event, counts, documents);
    },
  };
}
