import type { DomainEvent } from '@forgelog/contracts/event.ts';
import type { RecordedEvent } from './event.ts';
import type { Projection, ProjectionDocuments } from './projection.ts';
import type { AnyCollection, Ownership } from './read-store.ts';

export type Recorded<E extends DomainEvent> =
  E extends DomainEvent<infer Type, infer Data> ? RecordedEvent<Type, Data> : never;

export interface Ending extends Ownership {
  collection: AnyCollection;
}

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
  return {
    ...(projection as unknown as Projection),
    handles: [...new Set([...projection.handles, ...endings.map(({ event }) => event)])],
    async project(event, documents) {
      if (handled.has(event.type)) await projection.project(event as Recorded<E>, documents);
      for (const { event: type, collection, owned } of endings)
        if (type === event.type) await documents.deleteAll(collection, owned(event.data));
    },
  };
}
