import type { EventDefinition, EventOf } from '@forgelog/contracts/event.ts';
import type { Lifetime } from '@forgelog/contracts/lifetime.ts';
import type { Position } from './event.ts';
import type { Condition, SortKey } from './query.ts';

/** Port: the read models; queries map one to one to a document database. Contract: `read-store.contract.ts`. */

/** `json` is stored and returned, never queried. */
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

/** `'text'` is always there; `'text?'` may be null. */
export type FieldDeclaration = FieldType | `${FieldType}?`;

type Bare<D> = D extends `${infer T extends FieldType}?` ? T : D;
type ValueOf<D> = D extends `${infer T extends FieldType}?`
  ? FieldTypes[T] | null
  : FieldTypes[D & FieldType];

interface CollectionParts<Key extends string> {
  /** Lower-case words joined by `_`. */
  name: string;
  /** Integer or text, never null. */
  key: Key;
  /** `-` means descending. An array field is indexed alone, for membership. The key closes every index. */
  indexes: readonly (readonly string[])[];
  /** Like `indexes`, but unique; null never conflicts. */
  unique?: readonly (readonly string[])[];
  /** Text fields that `includes()` searches without regard to case. */
  search?: readonly string[];
  /** Text fields whose words are indexed for `holdsWords()`. Requires an integer key. */
  words?: readonly string[];
  /** Documents are deleted automatically when their owner ends. */
  ownedBy?: readonly Ownership[];
  /** The kind of which each document is a record, to count those that end without events of their own. */
  holds?: Holding;
  /** A version of other inputs than events; documents are rebuilt when it changes. */
  madeWith?: string;
}

export interface CollectionDeclaration<
  Fields extends Record<string, FieldDeclaration>,
  Key extends keyof Fields & string,
> extends CollectionParts<Key> {
  fields: Fields;
}

export interface Collection<
  Fields extends Record<string, FieldDeclaration> = Record<string, FieldDeclaration>,
  Key extends keyof Fields & string = keyof Fields & string,
> extends CollectionParts<Key> {
  fields: { readonly [F in keyof Fields]: Bare<Fields[F]> };
  nullable: ReadonlySet<string>;
  /** At compile time only. */
  readonly document?: { [F in keyof Fields]: ValueOf<Fields[F]> };
}

export interface Holding {
  lifetime: Lifetime;
  where?: Condition;
}

export interface Ownership {
  event: string;
  /** Matches the documents of the owner in the event's data. */
  owned(data: unknown): Condition;
}

/** `endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))` */
export function endsWith<D extends EventDefinition>(
  { type }: D,
  owned: (data: EventOf<D>['data']) => Condition,
): Ownership {
  return { event: type, owned: owned as Ownership['owned'] };
}

/** Derives the document type: `DocumentOf<typeof issues>`. */
export function defineCollection<
  const Fields extends Record<string, FieldDeclaration>,
  Key extends keyof Fields & string,
>(declaration: CollectionDeclaration<Fields, Key>): Collection<Fields, Key> {
  const declared = Object.entries<string>(declaration.fields);
  return {
    ...declaration,
    fields: Object.fromEntries(
      declared.map(([field, type]) => [field, type.replace(/\?$/, '')]),
    ) as Collection<Fields, Key>['fields'],
    nullable: new Set(declared.filter(([, type]) => type.endsWith('?')).map(([field]) => field)),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the declaration's own type parameters are read back below.
export type AnyCollection = Collection<any, any>;

export type DocumentOf<C extends AnyCollection> = NonNullable<C['document']>;

export type KeyOf<C extends AnyCollection> = FieldTypes[C['fields'][C['key']] & FieldType] &
  (string | number);

export interface Query<
  C extends AnyCollection,
  F extends keyof C['fields'] & string = keyof C['fields'] & string,
> {
  where?: Condition;
  /** The key is appended in the direction of the last sort key. Nulls sort first when ascending. */
  sort?: readonly SortKey[];
  limit: number;
  offset?: number;
  /** Keyset: returns only what sorts after these values, one per sort key and then the key. */
  after?: readonly (string | number | boolean | null)[];
  select?: readonly F[];
}

export interface CountQuery {
  where?: Condition;
  atMost: number;
}

export interface ReadStore {
  /**
   * Creates and drops what the declarations require. A new or changed collection starts empty; `reset` names it until
   * `reset()` was called, so a crash in between cannot pair it with an old checkpoint.
   */
  declare(collections: readonly AnyCollection[]): Promise<{ reset: string[] }>;

  /** Empties collections and deletes checkpoints atomically. */
  reset(collections: readonly AnyCollection[], checkpoints: readonly string[]): Promise<void>;

  get<C extends AnyCollection>(collection: C, key: KeyOf<C>): Promise<DocumentOf<C> | undefined>;

  /** The document and the log position that it reflects. */
  entry<C extends AnyCollection>(collection: C, key: KeyOf<C>): Promise<Entry<C> | undefined>;

  /** @param fields a constant list, whose identity is a cache key */
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

  /** BEGINNING if the projection never ran. */
  checkpoint(projection: string): Promise<Position>;

  /**
   * Atomic, even with a crash in between, and idempotent: a change applies only if the stored document is older.
   * @throws UniqueViolationError, and nothing is written. After another error, the checkpoints tell the outcome.
   */
  write(batch: WriteBatch): Promise<void>;

  beside(): Promise<ReadStoreCandidate>;

  /** Left out by stores that cannot be copied as they are at one position (ADR 136). */
  copies?: ReadStoreCopies;

  close(): Promise<void>;
}

export interface ReadStoreCopies {
  /** All that is stored now; reads and writes go on. No write may overlap the call. @throws ReadStoreUnavailableError */
  give(): Promise<GivenCopy>;
  /** Keeps a copy beside the live store. Nothing is left of it after an error. */
  take(bytes: AsyncIterable<Uint8Array>): Promise<ReadStoreCandidate>;
}

export interface GivenCopy {
  bytes: number;
  checkpoints: ReadonlyMap<string, Position>;
  /** @throws ReadStoreUnavailableError where the copy can no longer be whole */
  read(): AsyncIterable<Uint8Array>;
  /** To be called in any case: the store grows until then. */
  end(): void;
}

export interface Entry<C extends AnyCollection> {
  document: DocumentOf<C>;
  position: Position;
}

export interface ReadStoreCandidate extends ReadStore {
  /** Replaces the live store; the caller then closes and reopens that. */
  swap(): Promise<void>;
  discard(): Promise<void>;
}

export interface WriteBatch {
  changes: readonly Change[];
  checkpoints: ReadonlyMap<string, Position>;
}

/** Checkpoints of policies and feeds survive a rebuild; from the beginning, each mail would be sent again. */
export const isLasting = (checkpoint: string): boolean => /^(policy|feed):/.test(checkpoint);

declare const normal: unique symbol;

/** A document from `normalise`, which is immutable; stores accept no other and need not check again. */
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

/** The store cannot be read or written now; the fault lies with neither the caller nor the projection. */
export class ReadStoreUnavailableError extends Error {
  override readonly name = 'ReadStoreUnavailableError';
}

export class UniqueViolationError extends Error {
  override readonly name = 'UniqueViolationError';
}
