import type { DomainEvent } from '@forgelog/contracts/event.ts';
import type { RecordedEvent } from './event.ts';
import type { Projection, ProjectionDocuments } from './projection.ts';

/** A union of events as the log records them; `type` still tells the payloads apart. */
export type Recorded<E extends DomainEvent> =
  E extends DomainEvent<infer Type, infer Data> ? RecordedEvent<Type, Data> : never;

/** A projection whose events are typed by their contracts: what it handles is what `project` must deal with. */
export function defineProjection<E extends DomainEvent>(projection: {
  name: string;
  collections: Projection['collections'];
  handles: readonly E['type'][];
  project(event: Recorded<E>, documents: ProjectionDocuments): Promise<void>;
  applied?(events: readonly Recorded<E>[]): void;
}): Projection {
  return projection as unknown as Projection;
}
