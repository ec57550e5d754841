import type { Position, RecordedEvent } from './event.ts';
import type { Condition } from './query.ts';
import type { AnyCollection, DocumentOf, KeyOf, Query } from './read-store.ts';

/** Turns events into changes of its own collections. Pure, so a rebuild yields the same bytes. */
export interface Projection {
  name: string;
  /** No other projection writes these. */
  collections: readonly AnyCollection[];
  handles: readonly string[];
  project(event: RecordedEvent, documents: ProjectionDocuments): Promise<void>;
  /** Called once changes are visible to readers, to invalidate caches. */
  applied?(events: readonly RecordedEvent[]): void;
}

export interface ProjectionDocuments {
  /** To change a document, `put` a new object: arrays and JSON in it are frozen. */
  get<C extends AnyCollection>(collection: C, key: KeyOf<C>): Promise<Readonly<DocumentOf<C>> | undefined>;
  find<C extends AnyCollection>(collection: C, query: Query<C>): Promise<Readonly<DocumentOf<C>>[]>;
  /** All matching documents, in key order. */
  findAll<C extends AnyCollection>(collection: C, where: Condition): Promise<Readonly<DocumentOf<C>>[]>;
  put<C extends AnyCollection>(collection: C, document: DocumentOf<C>): void;
  /** Changes some fields of a document that `get` returned. Cheaper than `put` for a large document. */
  amend<C extends AnyCollection>(collection: C, key: KeyOf<C>, changes: Partial<DocumentOf<C>>): void;
  delete<C extends AnyCollection>(collection: C, key: KeyOf<C>): void;
  deleteAll(collection: AnyCollection, where: Condition): Promise<void>;
  /**
   * Deletes what belongs to an owner that ended, so that nothing that matches comes later. Many documents are hidden
   * first. Returns how many were records of the kind that the collection holds.
   */
  endAll(collection: AnyCollection, where: Condition): Promise<number>;
}

export interface ProjectorStatus {
  projection: string;
  position: Position;
  halted: { position: Position; error: Error } | null;
}
