import { type AnyBulkWriteOperation, type Collection, MongoBulkWriteError, MongoServerError } from 'mongodb';
import { UniqueViolationError } from '../../read-store.ts';
import { GONE, type Key, POSITION, type StoredDocument } from './stored-shape.ts';

/** A change as it is stored: the document, or null where it is deleted. */
export interface StoredChange {
  key: Key;
  position: string;
  document: StoredDocument | null;
}

/** Of several changes of one document the latest counts: one unordered round can then write all of them. */
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

/** Applies changes to one collection, each only where the stored document is older, whoever else writes there. */
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

  /** Writing the same changes again changes nothing. */
  async apply(changes: readonly StoredChange[]): Promise<void> {
    const releases = await this.#releases(changes);
    if (releases.length > 0) await this.#collection.bulkWrite(releases, { ordered: false });
    const now = new Date();
    const writes = changes.map((change) => guarded(change, now));
    try {
      await this.#collection.bulkWrite(writes, { ordered: false });
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError && error.code === DUPLICATE_KEY)) throw error;
      // Some are applied already, and a server may have stopped there: which ones shows one by one.
      for (const change of changes) await this.#applyOne(change, now);
    }
  }

  /**
   * An upsert whose guard refuses the stored document tries to insert it once more, and fails as a duplicate. So it
   * fails for a unique value too, and when two writers insert at once: then it succeeds the second time.
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

  /** Unique values that documents pass on to one another: their holders give them up before others take them. */
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
        // Only this value: whoever carries out the same changes at once may have set the next one.
        releases.push({
          updateOne: { filter: { _id: key, [marker]: value }, update: { $unset: { [marker]: '' } } },
        });
      }
    }
    return releases;
  }

  /** Who holds values that others take. */
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
