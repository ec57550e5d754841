import { inBatches } from './batches.ts';
import { checkQuery, fullSort } from './collection-checks.ts';
import { adopt, amend, normalise } from './document.ts';
import { isEnding } from './ending-read-store.ts';
import type { Position } from './event.ts';
import { ownTurn } from './own-turn.ts';
import type { Projection, ProjectionDocuments } from './projection.ts';
import { and, type Condition, fieldsOf, not, oneOf } from './query.ts';
import { compareBy, isAfter, matches, pick } from './query-evaluation.ts';
import type { AnyCollection, Change, NormalDocument, Query, ReadStore } from './read-store.ts';

type Key = string | number;
type Fields = Record<string, unknown>;

/** The largest limit of every read store; MongoDB's is a 32-bit integer. */
const UNBOUNDED = 2 ** 31 - 1;
const DELETED_AT_ONCE = 2000;

interface Ended {
  collection: AnyCollection;
  where: Condition;
  position: Position;
}

interface Held {
  document: NormalDocument | undefined;
  /** The log position that the stored document reflects; '' if there is none. */
  stored: Position;
  changed: Position | null;
}

/** Caches a projection's documents during one batch, so that each is read and written once. */
export class ProjectionBatch {
  readonly #projection: Projection;
  readonly #readStore: ReadStore;
  readonly #held = new Map<AnyCollection, Map<Key, Held>>();
  /** What ended in this batch, and is in the read store still. */
  readonly #ended: Ended[] = [];
  /** Undoes the current event if the projection throws. */
  #undo: (() => void)[] = [];
  #position: Position = '';

  constructor(projection: Projection, readStore: ReadStore) {
    this.#projection = projection;
    this.#readStore = readStore;
    for (const collection of projection.collections) this.#held.set(collection, new Map());
  }

  begin(position: Position): void {
    this.#position = position;
    this.#undo = [];
  }

  rollback(): void {
    for (const undo of this.#undo.reverse()) undo();
    this.#undo = [];
  }

  changes(): Change[] {
    const changes: Change[] = [];
    for (const [collection, documents] of this.#held)
      for (const [key, { document, changed }] of documents) {
        if (changed === null) continue;
        if (document) changes.push({ kind: 'put', collection, key, document, position: changed });
        else changes.push({ kind: 'delete', collection, key, position: changed });
      }
    if (isEnding(this.#readStore))
      for (const { collection, where, position } of this.#ended)
        changes.push(this.#readStore.ending(collection, where, position));
    return changes;
  }

  readonly documents: ProjectionDocuments = {
    get: async (collection, key) => {
      const { document } = await this.#load(collection, key);
      return document as never;
    },
    find: (collection, query) => this.#find(collection, query),
    findAll: (collection, where) => this.#findAll(collection, where) as Promise<never[]>,
    put: (collection, document) => {
      const normal = normalise(collection, document as Fields);
      this.#change(collection, normal[collection.key] as Key, normal);
    },
    amend: (collection, key, changes) => {
      const document = this.#own(collection).get(key)?.document;
      if (!document) throw new Error(`${collection.name} ${key} must be read before it is amended`);
      this.#change(collection, key, amend(collection, document, changes as Fields));
    },
    delete: (collection, key) => this.#change(collection, key, undefined),
    deleteAll: async (collection, where) => void (await this.#deleteAll(collection, where)),
    endAll: (collection, where) => this.#endAll(collection, where),
  };

  #own(collection: AnyCollection): Map<Key, Held> {
    const documents = this.#held.get(collection);
    if (!documents)
      throw new Error(`projection ${this.#projection.name} does not own collection ${collection.name}`);
    return documents;
  }

  async #load(collection: AnyCollection, key: Key): Promise<Held> {
    const documents = this.#own(collection);
    const held = documents.get(key);
    if (held) return held;
    const entry = await this.#readStore.entry(collection, key as never);
    // A concurrent load of this key may have finished, and its changes must not be lost.
    const meanwhile = documents.get(key);
    if (meanwhile) return meanwhile;
    const isThere = entry && !this.#ended.some((ended) => isIn(ended, collection, entry.document as Fields));
    const document = isThere ? adopt(collection, entry.document) : undefined;
    const loaded: Held = { document, stored: entry?.position ?? '', changed: null };
    documents.set(key, loaded);
    return loaded;
  }

  #change(collection: AnyCollection, key: Key, document: NormalDocument | undefined): void {
    const documents = this.#own(collection);
    const before = documents.get(key);
    // Already applied: the document was stored but the checkpoint was lost.
    if (before && before.stored >= this.#position) return;
    documents.set(key, { document, stored: before?.stored ?? '', changed: this.#position });
    this.#undo.push(() => {
      if (before) documents.set(key, before);
      else documents.delete(key);
    });
  }

  async #find<C extends AnyCollection>(collection: C, query: Query<C>): Promise<never[]> {
    const sort = checkQuery(collection, query);
    const documents = this.#own(collection);
    const offset = query.offset ?? 0;
    const changed = [...documents.values()].filter((held) => held.changed !== null).length;
    // Each changed document displaces at most one stored document from the page.
    const stored = await this.#readStore.find(collection, {
      ...query,
      where: this.#left(collection, query.where),
      select: undefined,
      offset: 0,
      limit: offset + query.limit + changed,
    });
    const found: Fields[] = [];
    for (const document of stored as Fields[]) {
      const held = await this.#load(collection, document[collection.key] as Key);
      if (held.changed === null && held.document) found.push(held.document);
    }
    for (const { document, changed: position } of documents.values()) {
      if (position === null || !document) continue;
      if (query.where && !matches(query.where, document)) continue;
      if (query.after && !isAfter(document, sort, query.after)) continue;
      found.push(document);
    }
    return found
      .sort(compareBy(sort))
      .slice(offset, offset + query.limit)
      .map((document) => pick(document, query.select) as never);
  }

  /** Not loaded one by one: a write changes nothing that is newer anyway, and a project may have 100,000 issues. */
  async #deleteAll(collection: AnyCollection, where: Condition): Promise<number> {
    let records = this.#deleteHeld(collection, where);
    const query = { ...this.#storedKeys(collection, where), size: DELETED_AT_ONCE };
    for await (const stored of inBatches(this.#readStore, collection, query)) {
      records += this.#deleteStored(collection, stored);
      if (stored.length === DELETED_AT_ONCE) await ownTurn();
    }
    return records;
  }

  #storedKeys(collection: AnyCollection, where: Condition) {
    const select = [...new Set([collection.key, ...fieldsOf(collection.holds?.where)])];
    return { where: this.#left(collection, where)!, select };
  }

  #deleteStored(collection: AnyCollection, stored: readonly Fields[]): number {
    const documents = this.#own(collection);
    const keyOf = (document: Fields) => document[collection.key] as Key;
    const unheld = stored.filter((document) => !documents.has(keyOf(document)));
    for (const document of unheld) this.#change(collection, keyOf(document), undefined);
    return recordsIn(collection, unheld);
  }

  #deleteHeld(collection: AnyCollection, where: Condition): number {
    const held = [...this.#own(collection).values()].flatMap(({ document }) =>
      document && matches(where, document) ? [document] : [],
    );
    for (const document of held) this.#change(collection, document[collection.key] as Key, undefined);
    return recordsIn(collection, held);
  }

  async #endAll(collection: AnyCollection, where: Condition): Promise<number> {
    if (!isEnding(this.#readStore)) return this.#deleteAll(collection, where);
    const query = this.#storedKeys(collection, where);
    // One query where little ends: a project that is deleted asks a hundred collections.
    const first: Fields[] = await this.#readStore.find(collection, { ...query, limit: DELETED_AT_ONCE });
    if (first.length < DELETED_AT_ONCE)
      return this.#deleteHeld(collection, where) + this.#deleteStored(collection, first);
    const known = not(oneOf(collection.key, [...this.#own(collection).keys()]));
    const records = and(query.where, known, collection.holds?.where ?? and());
    const others = await this.#readStore.count(collection, { where: records, atMost: UNBOUNDED });
    const ended = { collection, where, position: this.#position };
    this.#ended.push(ended);
    this.#undo.push(() => void this.#ended.splice(this.#ended.indexOf(ended), 1));
    return this.#deleteHeld(collection, where) + others;
  }

  /** What of the stored documents did not end in this batch. */
  #left(collection: AnyCollection, where: Condition | undefined): Condition | undefined {
    const ended = this.#ended.filter((one) => one.collection === collection).map((one) => not(one.where));
    return ended.length === 0 ? where : and(...(where ? [where] : []), ...ended);
  }

  async #findAll(collection: AnyCollection, where: Condition): Promise<NormalDocument[]> {
    const documents = this.#own(collection);
    const query = { where: this.#left(collection, where), select: [collection.key], limit: UNBOUNDED };
    const stored: Fields[] = await this.#readStore.find(collection, query);
    for (const document of stored) await this.#load(collection, document[collection.key] as Key);
    return [...documents.values()]
      .flatMap(({ document }) => (document && matches(where, document) ? [document] : []))
      .sort(compareBy(fullSort(collection)));
  }
}

const isIn = (ended: Ended, collection: AnyCollection, document: Fields): boolean =>
  ended.collection === collection && matches(ended.where, document as never);

function recordsIn({ holds }: AnyCollection, documents: readonly object[]): number {
  const { where } = holds ?? {};
  return where ? documents.filter((document) => matches(where, document as never)).length : documents.length;
}
