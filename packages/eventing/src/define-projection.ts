import type { DomainEvent } from '@forgelog/contracts/event.ts';
import type { RecordedEvent } from './event.ts';
import type { Projection, ProjectionDocuments } from './projection.ts';
import type { AnyCollection } from './read-store.ts';

/** A union of events as the log records them; `type` still tells the payloads apart. */
export type Recorded<E extends DomainEvent> =
  E extends DomainEvent<infer Type, infer Data> ? RecordedEvent<Type, Data> : never;

/**
 * A projection whose events are typed by their contracts: what it handles is what `project` must deal with. What its
 * collections declare in `ownedBy` is deleted after `project` saw the event that ends the owner.
 */
export function defineProjection<E extends DomainEvent>(projection: {
  name: string;
  collections: Projection['collections'];
  handles: readonly E['type'][];
  project(event: Recorded<E>, documents: ProjectionDocuments): Promise<void>;
  applied?(events: readonly Recorded<E>[]): void;
}): Projection {
  const { collections } = projection;
  const handled = new Set<string>(projection.handles);
  const endings = collections.flatMap((collection: AnyCollection) =>
    (collection.ownedBy ?? []).map((ownership) => ({ collection, ...ownership })),
  );
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
