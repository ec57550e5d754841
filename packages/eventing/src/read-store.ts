import type { EventDefinition, EventOf } from '@forgelog/contracts/event.ts';
import type { Position } from './event.ts';
import type { Condition, SortKey } from './query.ts';

/**
 * Port: the read models. Collections of flat documents with declared fields and indexes, and a typed query that
 * maps one to one onto a document database. Adapters: `adapters/memory`, `adapters/sqlite`, `adapters/mongodb`; common
 * contract: `testing/read-store.contract.ts`.
 */

/** What a field of a document can be. Every field may be null. `json` is kept and returned, never queried. */
export type FieldType = 'integer' | 'number' | 'text' | 'boolean' | 'integer[]' | 'text[]' | 'json';

export interface FieldTypes {
  integer: number;
  number: number;
  text: string;
  boolean: boolean;
  'integer[]': readonly number[];
  'text[]': readonly string[];
  json: unknown;
}

export interface CollectionDeclaration<
  Fields extends Record<string, FieldType> = Record<string, FieldType>,
  Key extends keyof Fields & string = keyof Fields & string,
> {
  /** Lower-case words joined by `_`. */
  name: string;
  /** The field that identifies a document; integer or text, never null. */
  key: Key;
  fields: Fields;
  /**
   * Indexes as lists of fields, `-` in front of one that is kept descending. An array field indexed alone serves
   * membership. The key closes every index, so an index order is total.
   */
  indexes: readonly (readonly string[])[];
  /** Like `indexes`, but no two documents may agree on all of these fields (null never agrees). */
  unique?: readonly (readonly string[])[];
  /** Text fields that `includes()` searches without regard to case. */
  search?: readonly string[];
  /** What its documents belong to: they are deleted with it, by the machinery. */
  ownedBy?: readonly Ownership[];
  /** What documents are made from beside events, as a text: they are filled anew where it changes. */
  madeWith?: string;
}

/** Documents that end when something else does. */
export interface Ownership {
  /** Type of the event that ends the owner. */
  event: string;
  /** Which documents belonged to the owner that the event's data names. */
  owned(data: unknown): Condition;
}

/** `endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))` */
export function endsWith<D extends EventDefinition>(
  { type }: D,
  owned: (data: EventOf<D>['data']) => Condition,
): Ownership {
  return { event: type, owned: owned as Ownership['owned'] };
}

/** Declares a collection; the document type follows from it: `DocumentOf<typeof issues>`. */
export function defineCollection<
  const Fields extends Record<string, FieldType>,
  Key extends keyof Fields & string,
>(declaration: CollectionDeclaration<Fields, Key>): CollectionDeclaration<Fields, Key> {
  return declaration;
}

// biome-ignore lint/suspicious/noExplicitAny: the declaration's own type parameters are read back below.
export type AnyCollection = CollectionDeclaration<any, any>;

export type DocumentOf<C extends AnyCollection> = {
  [F in keyof C['fields']]: F extends C['key']
    ? FieldTypes[C['fields'][F] & FieldType]
    : FieldTypes[C['fields'][F] & FieldType] | null;
};

export type KeyOf<C extends AnyCollection> = FieldTypes[C['fields'][C['key']] & FieldType] &
  (string | number);

export interface Query<
  C extends AnyCollection,
  F extends keyof C['fields'] & string = keyof C['fields'] & string,
> {
  where?: Condition;
  /** The key is appended as the last sort key, in the direction of the last one named. Nulls sort first ascending. */
  sort?: readonly SortKey[];
  limit: number;
  offset?: number;
  /** Keyset: only what sorts after these values, one for each sort key in order and then the key itself. */
  after?: readonly (string | number | boolean | null)[];
  /** Only these fields are read (all by default). */
  select?: readonly F[];
}

/** Counting stops at `atMost`: the answer is then `atMost`. */
export interface CountQuery {
  where?: Condition;
  atMost: number;
}

export interface ReadStore {
  /**
   * Creates what is missing (collections, indexes) and drops indexes that are no longer declared. A collection
   * that is new, or whose fields changed since, starts empty: `reset` names these until `reset()` is called for
   * them, so that a crash in between cannot leave one empty under an old checkpoint.
   */
  declare(collections: readonly AnyCollection[]): Promise<{ reset: string[] }>;

  /** Empties collections and forgets checkpoints as one unit: what is projected into them next starts anew. */
  reset(collections: readonly AnyCollection[], checkpoints: readonly string[]): Promise<void>;

  get<C extends AnyCollection>(collection: C, key: KeyOf<C>): Promise<DocumentOf<C> | undefined>;

  /** The document and the log position that it reflects: how a projector sees that it was already applied. */
  entry<C extends AnyCollection>(collection: C, key: KeyOf<C>): Promise<Entry<C> | undefined>;

  /**
   * Some fields of one document, for answers that are stored ready to send.
   * @param fields best a constant: what a store knows of a list of fields it remembers by the list itself
   */
  getFields<C extends AnyCollection, F extends keyof C['fields'] & string>(
    collection: C,
    key: KeyOf<C>,
    fields: readonly F[],
  ): Promise<Pick<DocumentOf<C>, F> | undefined>;

  find<C extends AnyCollection, F extends keyof C['fields'] & string = keyof C['fields'] & string>(
    collection: C,
    query: Query<C, F>,
  ): Promise<Pick<DocumentOf<C>, F>[]>;

  count<C extends AnyCollection>(collection: C, query: CountQuery): Promise<number>;

  /** Where `projection` stands; BEGINNING when it never ran. */
  checkpoint(projection: string): Promise<Position>;

  /**
   * Writes changes and checkpoints as one unit, which a crash in between leaves wholly there or wholly absent. A
   * change carries the log position that it reflects and applies only where the stored document is older, so a batch
   * may be written twice.
   * @throws UniqueViolationError, and nothing is written. After any other error the outcome is unknown, as it is
   * whenever a network lies between: the checkpoints then tell.
   */
  write(batch: WriteBatch): Promise<void>;

  /** An empty store beside this one, for a rebuild. */
  beside(): Promise<ReadStoreCandidate>;

  close(): Promise<void>;
}

export interface Entry<C extends AnyCollection> {
  document: DocumentOf<C>;
  position: Position;
}

export interface ReadStoreCandidate extends ReadStore {
  /** Puts this store in the place of the one it was opened beside; the caller closes and reopens the latter. */
  swap(): Promise<void>;
  discard(): Promise<void>;
}

export interface WriteBatch {
  changes: readonly Change[];
  checkpoints: ReadonlyMap<string, Position>;
}

/**
 * Whether a checkpoint says what was done outside the read models: reactions of policies, events that left through a
 * feed. These are kept where read models are thrown away, emptied or swapped: from the beginning, each mail would be
 * sent again.
 */
export const isLasting = (checkpoint: string): boolean => /^(policy|feed):/.test(checkpoint);

declare const normal: unique symbol;

/** A document that `normalise` made, which nobody changes: a store takes no other, and need not look again. */
export type NormalDocument = Readonly<Record<string, unknown>> & { readonly [normal]: true };

export type Change =
  | {
      kind: 'put';
      collection: AnyCollection;
      key: string | number;
      document: NormalDocument;
      position: Position;
    }
  | { kind: 'delete'; collection: AnyCollection; key: string | number; position: Position };

/**
 * The store cannot be read or written now (a full disk, a failed read, damage): no fault of whoever asked, and not of
 * the projection that did.
 */
export class ReadStoreUnavailableError extends Error {
  override readonly name = 'ReadStoreUnavailableError';
}

export class UniqueViolationError extends Error {
  override readonly name = 'UniqueViolationError';
}
