import {
  checkCondition,
  checkDeclaration,
  checkQuery,
  checkValue,
  fieldType,
} from '../../collection-checks.ts';
import { BEGINNING, type Position } from '../../event.ts';
import type { AnyCollection, Change, ReadStore, WriteBatch } from '../../read-store.ts';
import { latest, type StoredChange } from './collection-writer.ts';
import { queryFilter, sortOf } from './condition-filter.ts';
import type { Generation } from './generation.ts';
import { GuardedWrites } from './guarded-writes.ts';
import { ensureIndexes, purgeDeleted } from './indexes.ts';
import { GONE, type Key, POSITION, StoredShape } from './stored-shape.ts';
import type { JournalEntry } from './write-journal.ts';

interface Declared {
  _id: string;
  description: string;
  fresh: boolean;
}

const MOST_AT_ONCE = 2 ** 31 - 1;

export class MongodbReadModels implements Omit<ReadStore, 'beside' | 'close'> {
  readonly #shapes = new Map<string, StoredShape>();
  #generation: Generation;
  #writes: GuardedWrites;

  constructor(generation: Generation) {
    this.#generation = generation;
    this.#writes = new GuardedWrites(generation);
  }

  get generation(): number {
    return this.#generation.number;
  }

  use(generation: Generation): void {
    this.#generation = generation;
    this.#writes = new GuardedWrites(generation);
  }

  async declare(collections: readonly AnyCollection[]): Promise<{ reset: string[] }> {
    for (const collection of collections) checkDeclaration(collection);
    await this.#writes.settled();
    const held = await this.#declared.find().toArray();
    const descriptions = new Map(held.map(({ _id, description }) => [_id, description]));
    const fresh = new Set(held.filter((each) => each.fresh).map(({ _id }) => _id));
    for (const collection of collections) {
      const { name } = collection;
      const shape = new StoredShape(collection);
      const documents = this.#generation.collection(name);
      const description = shape.description();
      if (descriptions.get(name) !== description) {
        await this.#declared.replaceOne({ _id: name }, { description, fresh: true }, { upsert: true });
        await documents.drop();
        fresh.add(name);
      }
      await ensureIndexes(documents, shape.indexes());
      await purgeDeleted(documents);
      this.#shapes.set(name, shape);
    }
    return { reset: collections.map(({ name }) => name).filter((name) => fresh.has(name)) };
  }

  /** Marked as fresh until the end, so that a crash in between repeats the reset. */
  async reset(collections: readonly AnyCollection[], checkpoints: readonly string[]): Promise<void> {
    await this.#writes.settled();
    const names = collections.map(({ name }) => name);
    await this.#declared.updateMany({ _id: { $in: names } }, { $set: { fresh: true } });
    for (const name of checkpoints) await this.#generation.checkpoints(name).deleteOne({ _id: name });
    for (const name of names) await this.#generation.collection(name).deleteMany({});
    await this.#declared.updateMany({ _id: { $in: names } }, { $set: { fresh: false } });
  }

  get: ReadStore['get'] = async (collection, key) => (await this.#entry(collection, key))?.document as never;

  entry: ReadStore['entry'] = async (collection, key) => (await this.#entry(collection, key)) as never;

  getFields: ReadStore['getFields'] = async (collection, key, fields) => {
    for (const field of fields) fieldType(collection, field);
    const shape = this.#shape(collection);
    const stored = await this.#byKey(shape, key, shape.projection(fields));
    return stored && (shape.decode(stored, fields) as never);
  };

  find: ReadStore['find'] = async (collection, query) => {
    const shape = this.#shape(collection);
    const sort = checkQuery(collection, query as never);
    const { where, after, offset = 0, select = shape.fields } = query;
    await this.#writes.settled();
    if (query.limit === 0) return [];
    const limit = Math.min(query.limit, MOST_AT_ONCE);
    const filter = queryFilter(shape, where, after && { sort, values: after });
    const found = this.#generation.collection(collection.name).find(filter, {
      sort: sortOf(shape, sort),
      skip: offset,
      limit,
      batchSize: Math.min(limit, 100_000),
      projection: shape.projection(select),
    });
    return (await found.toArray()).map((stored) => shape.decode(stored, select) as never);
  };

  count: ReadStore['count'] = async (collection, { where, atMost }) => {
    const shape = this.#shape(collection);
    if (where) checkCondition(collection, where);
    await this.#writes.settled();
    if (atMost === 0) return 0;
    const documents = this.#generation.collection(collection.name);
    return documents.countDocuments(queryFilter(shape, where), { limit: atMost });
  };

  async checkpoint(name: string): Promise<Position> {
    await this.#writes.settled();
    const held = await this.#generation.checkpoints(name).findOne({ _id: name });
    return held?.position ?? BEGINNING;
  }

  async write({ changes, checkpoints }: WriteBatch): Promise<void> {
    await this.#writes.write({
      collections: this.#stored(changes),
      checkpoints: Array.from(checkpoints, ([name, position]) => ({ name, position })),
    });
  }

  #stored(changes: readonly Change[]): JournalEntry['collections'] {
    const byShape = new Map<StoredShape, StoredChange[]>();
    for (const change of changes) {
      const { collection, key, position } = change;
      const shape = this.#shape(collection);
      const document = change.kind === 'put' ? shape.encode(change.document, position) : null;
      const stored = byShape.get(shape) ?? [];
      stored.push({ key, position, document });
      byShape.set(shape, stored);
    }
    return Array.from(byShape, ([{ collection, markers }, each]) => ({
      name: collection.name,
      markers,
      changes: latest(each),
    }));
  }

  async #entry(collection: AnyCollection, key: Key) {
    const shape = this.#shape(collection);
    const stored = await this.#byKey(shape, key, { ...shape.projection(shape.fields), [POSITION]: 1 });
    return stored && { document: shape.decode(stored), position: stored[POSITION] };
  }

  async #byKey(shape: StoredShape, key: Key, projection: Record<string, 0 | 1>) {
    const { collection } = shape;
    checkValue(shape.type(collection.key), key, `${collection.name}.${collection.key}`);
    await this.#writes.settled();
    const documents = this.#generation.collection(collection.name);
    return (await documents.findOne({ _id: key, [GONE]: null }, { projection })) ?? undefined;
  }

  #shape(collection: AnyCollection): StoredShape {
    const shape = this.#shapes.get(collection.name);
    if (!shape) throw new Error(`collection ${collection.name} is not declared`);
    return shape;
  }

  get #declared() {
    return this.#generation.collection<Declared>('_collections');
  }
}
