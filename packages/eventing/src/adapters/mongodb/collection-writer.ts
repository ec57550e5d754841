import { type AnyBulkWriteOperation, type Collection, MongoBulkWriteError, MongoServerError } from 'mongodb';
import { UniqueViolationError } from '../../read-store.ts';
import { GONE, type Key, POSITION, type StoredDocument } from './stored-shape.ts';

export interface StoredChange {
  key: Key;
  position: string;
  document: StoredDocument | null;
}

/** Keeps only the latest change per document, so that one unordered bulk write suffices. */
export function latest(changes: readonly StoredChange[]): StoredChange[] {
  const byKey = new Map<Key, StoredChange>();
  for (const change of changes) {
    const held = byKey.get(change.key);
    if (!held || held.position < change.position) byKey.set(change.key, change);
  }
  return [...byKey.values()];
}

const DUPLICATE_KEY = 11_000;
const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** Applies changes to one collection, each only if the stored document is older. Safe with concurrent writers. */
export class CollectionWriter {
  readonly #collection: Collection<StoredDocument>;
  readonly #markers: readonly string[];

  constructor(collection: Collection<StoredDocument>, markers: readonly string[]) {
    this.#collection = collection;
    this.#markers = markers;
  }

  /** @throws UniqueViolationError before anything is written */
  async check(changes: readonly StoredChange[]): Promise<void> {
    await this.#releases(changes);
  }

  async apply(changes: readonly StoredChange[]): Promise<void> {
    const releases = await this.#releases(changes);
    if (releases.length > 0) await this.#collection.bulkWrite(releases, { ordered: false });
    const now = new Date();
    const writes = changes.map((change) => guarded(change, now));
    try {
      await this.#collection.bulkWrite(writes, { ordered: false });
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError && error.code === DUPLICATE_KEY)) throw error;
      // Some changes are applied and the server may have stopped there, so apply them one by one.
      for (const change of changes) await this.#applyOne(change, now);
    }
  }

  /**
   * When the guard rejects the stored document, the upsert tries an insert and fails as a duplicate. A unique conflict
   * fails alike, and so does a concurrent insert, which succeeds on retry.
   */
  async #applyOne(change: StoredChange, now: Date): Promise<void> {
    const { filter, replacement } = guarded(change, now).replaceOne;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#collection.replaceOne(filter, replacement, { upsert: true });
        return;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        const stored = await this.#collection.findOne({ _id: change.key }, { projection: { [POSITION]: 1 } });
        if (stored && stored[POSITION] >= change.position) return;
        if (attempt > 1) throw new UniqueViolationError((error as Error).message, { cause: error });
      }
    }
  }

  /** Documents may pass a unique value on within one write: unset the holder's marker before the taker writes it. */
  async #releases(changes: readonly StoredChange[]): Promise<AnyBulkWriteOperation<StoredDocument>[]> {
    if (this.#markers.length === 0) return [];
    const positions = await this.#positions(changes.map(({ key }) => key));
    const effective = changes.filter(({ key, position }) => (positions.get(key) ?? '') < position);
    const changed = new Set(effective.map(({ key }) => key));
    const releases: AnyBulkWriteOperation<StoredDocument>[] = [];
    for (const marker of this.#markers) {
      const takers = new Map<string, Key>();
      for (const { key, document } of effective) {
        const value = document?.[marker] as string | undefined;
        if (value === undefined) continue;
        if (takers.has(value)) throw this.#violation(marker, value);
        takers.set(value, key);
      }
      for (const { key, value } of await this.#holders(marker, takers)) {
        if (!changed.has(key)) throw this.#violation(marker, value);
        // Unset only this value: another process that applies the same changes may have set the next one.
        releases.push({
          updateOne: { filter: { _id: key, [marker]: value }, update: { $unset: { [marker]: '' } } },
        });
      }
    }
    return releases;
  }

  async #holders(marker: string, takers: Map<string, Key>): Promise<{ key: Key; value: string }[]> {
    if (takers.size === 0) return [];
    const filter = { [marker]: { $in: [...takers.keys()] } };
    const held = await this.#collection.find(filter, { projection: { [marker]: 1 } }).toArray();
    return held
      .map((document) => ({ key: document._id, value: document[marker] as string }))
      .filter(({ key, value }) => takers.get(value) !== key);
  }

  async #positions(keys: Key[]): Promise<Map<Key, string>> {
    const stored = this.#collection.find({ _id: { $in: keys } }, { projection: { [POSITION]: 1 } });
    return new Map((await stored.toArray()).map((document) => [document._id, document[POSITION]]));
  }

  #violation(marker: string, value: string): UniqueViolationError {
    return new UniqueViolationError(`${this.#collection.collectionName}${marker} ${value}`);
  }
}

function guarded({ key, position, document }: StoredChange, now: Date) {
  const { _id, ...replacement } = document ?? { _id: key, [POSITION]: position, [GONE]: now };
  return {
    replaceOne: { filter: { _id: key, [POSITION]: { $lt: position } }, replacement, upsert: true },
  } satisfies AnyBulkWriteOperation<StoredDocument>;
}
