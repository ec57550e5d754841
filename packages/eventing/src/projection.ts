import type { Position, RecordedEvent } from './event.ts';
import type { Condition } from './query.ts';
import type { AnyCollection, DocumentOf, KeyOf, Query } from './read-store.ts';

/**
 * A projection turns events into changes of its own collections. It is pure (no clock, no randomness, nothing
 * but the event and what it wrote before), so it can be run twice and rebuilt to the same bytes.
 */
export interface Projection {
  /** Names its checkpoint. */
  name: string;
  /** What it alone writes. */
  collections: readonly AnyCollection[];
  /** The event types that it reacts to; others never reach it. */
  handles: readonly string[];
  project(event: RecordedEvent, documents: ProjectionDocuments): Promise<void>;
  /** Told after changes are visible to readers: the place to drop cached answers. */
  applied?(events: readonly RecordedEvent[]): void;
}

/** The documents of the projection's own collections, as the events before this one left them. */
export interface ProjectionDocuments {
  /** What the projection may put back changed, as another object: arrays and JSON within it are frozen. */
  get<C extends AnyCollection>(collection: C, key: KeyOf<C>): Promise<Readonly<DocumentOf<C>> | undefined>;
  find<C extends AnyCollection>(collection: C, query: Query<C>): Promise<Readonly<DocumentOf<C>>[]>;
  /** Every document that matches, in the order of their keys: for changes that concern all of them. */
  findAll<C extends AnyCollection>(collection: C, where: Condition): Promise<Readonly<DocumentOf<C>>[]>;
  put<C extends AnyCollection>(collection: C, document: DocumentOf<C>): void;
  /** Puts the document with these fields changed, for one that `get` gave: cheaper than all of it where it is large. */
  amend<C extends AnyCollection>(collection: C, key: KeyOf<C>, changes: Partial<DocumentOf<C>>): void;
  delete<C extends AnyCollection>(collection: C, key: KeyOf<C>): void;
  deleteAll(collection: AnyCollection, where: Condition): Promise<void>;
}

export interface ProjectorStatus {
  projection: string;
  position: Position;
  /** Set when the projection threw: it stands still before this position, the others go on. */
  halted: { position: Position; error: Error } | null;
}
