import { Collection, type Db, MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { BEGINNING, SYSTEM_METADATA } from '../../event.ts';
import { eq, includes, oneOf } from '../../query.ts';
import { type ReadStore, ReadStoreUnavailableError, UniqueViolationError } from '../../read-store.ts';
import { dump, rebuildReadModels } from '../../rebuild.ts';
import { describeReadStore } from '../../testing/read-store.contract.ts';
import { put, remove, writeAll } from '../../testing/read-store-changes.ts';
import { names, things } from '../../testing/sample-collections.ts';
import {
  addItem,
  basketDecider,
  basketProjection,
  baskets,
  catalogue,
  closeBasket,
  handlerOn,
  startSystem,
} from '../../testing/sample-domain.ts';
import { openMemoryEventStore } from '../memory/memory-event-store.ts';
import { openMemoryReadStore } from '../memory/memory-read-store.ts';
import { openMongodbReadStore } from './mongodb-read-store.ts';

const url = process.env.MONGODB_URL ?? '';
const prefix = `forgelog_test_${process.pid}_${Date.now()}_`;
/** The speed of a busy server is not under test. */
const patienceMs = 60_000;
let databases = 0;
let client: MongoClient;

const name = (path: string, slug: string) => ({ path, owner: 1, slug, tags: null });
const checkpoint = (position: string) => new Map([['some', position]]);
const newDatabase = () => `${prefix}${++databases}`;

async function filled(): Promise<{ store: ReadStore; database: string; db: Db }> {
  const database = newDatabase();
  const store = await openMongodbReadStore({ url, database, patienceMs });
  await store.declare([things, names]);
  await store.reset([things, names], []);
  await store.write({
    changes: [put(names, name('a', 'one')), put(names, name('b', 'two')), put(things, { id: 1 })],
    checkpoints: checkpoint('1'),
  });
  return { store, database, db: client.db(database) };
}

describe.skipIf(!url)('on the server that MONGODB_URL names', () => {
  beforeAll(async () => {
    client = await MongoClient.connect(url);
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(async () => {
    if (!url) return;
    for (let number = 1; number <= databases; number++) await client.db(`${prefix}${number}`).dropDatabase();
    await client.close();
  });

  describeReadStore(
    'mongodb',
    async () => {
      const database = newDatabase();
      const store = await openMongodbReadStore({ url, database, patienceMs });
      return {
        store,
        async reopen() {
          await store.close();
          return openMongodbReadStore({ url, database, patienceMs });
        },
      };
    },
    { modelRuns: 40 },
  );

  const batch = {
    changes: [put(names, name('a', 'two'), '2'), put(names, name('b', 'one'), '2'), remove(things, 1, '2')],
    checkpoints: checkpoint('2'),
  };
  async function expectWhole(store: ReadStore): Promise<void> {
    expect(await store.find(names, { limit: 9 })).toEqual([name('a', 'two'), name('b', 'one')]);
    expect(await store.get(things, 1)).toBeUndefined();
    expect(await store.checkpoint('some')).toBe('2');
  }

  test.each([
    // The first bulk write is the journal's.
    ['bulkWrite', 2],
    ['bulkWrite', 3],
    ['bulkWrite', 4],
    ['replaceOne', 1],
    ['deleteMany', 1],
  ] as const)('a write interrupted at %s number %i is recovered before the next read', async (at, nth) => {
    const { store, database, db } = await filled();
    const original = Collection.prototype[at] as (...given: unknown[]) => Promise<never>;
    let calls = 0;
    const cut = vi.spyOn(Collection.prototype, at).mockImplementation(function (
      this: Collection,
      ...given: unknown[]
    ) {
      if (++calls === nth) throw new Error('connection lost');
      return original.apply(this, given);
    });
    await expect(store.write(batch)).rejects.toThrow('connection lost');
    cut.mockRestore();
    expect(await db.collection('g1._journal').countDocuments()).toBe(1);
    // Both another process and this one recover it.
    const other = await openMongodbReadStore({ url, database, patienceMs });
    await other.declare([things, names]);
    await expectWhole(other);
    await expectWhole(store);
    expect(await db.collection('g1._journal').countDocuments()).toBe(0);
    await Promise.all([store.close(), other.close()]);
  });

  test('a write that another process recovers at the same time takes effect once', async () => {
    const { store, database } = await filled();
    const others = await Promise.all([1, 2].map(() => openMongodbReadStore({ url, database, patienceMs })));
    for (const other of others) await other.declare([things, names]);
    await Promise.all([store, ...others].map((each) => each.write(batch)));
    for (const each of [store, ...others]) await expectWhole(each);
    // The values are still in use.
    for (const slug of ['one', 'two'])
      await expect(writeAll(store, [put(names, name('c', slug), '3')])).rejects.toThrow(UniqueViolationError);
    for (const each of [store, ...others]) await each.close();
  });

  test('a write that could not be journalled has no effect', async () => {
    const { store } = await filled();
    const cut = vi
      .spyOn(Collection.prototype, 'insertMany')
      .mockRejectedValueOnce(new Error('connection lost'));
    await expect(store.write(batch)).rejects.toThrow('connection lost');
    cut.mockRestore();
    expect(await store.find(names, { limit: 9 })).toEqual([name('a', 'one'), name('b', 'two')]);
    expect(await store.checkpoint('some')).toBe('1');
    await store.write(batch);
    await expectWhole(store);
    await store.close();
  });

  test('a partly journalled write is never applied', async () => {
    const { store, database, db } = await filled();
    const journal = db.collection<{ _id: string }>('g1._journal');
    const changes = [{ key: 'a', position: '2', document: null }];
    const collections = [{ name: 'names', markers: [], changes }];
    const part = { part: 0, last: false, collections, checkpoints: [] };
    const dates = { young: new Date(), old: new Date(0) };
    for (const [entry, at] of Object.entries(dates))
      await journal.insertOne({ _id: `${entry}:0`, entry, at, ...part } as never);
    await store.close();
    const again = await openMongodbReadStore({ url, database, patienceMs });
    await again.declare([things, names]);
    expect(await again.get(names, 'a')).toEqual(name('a', 'one'));
    // The younger entry may still be arriving.
    expect((await journal.find().toArray()).map(({ _id }) => _id)).toEqual(['young:0']);
    await again.close();
  });

  test('a write larger than the document limit is atomic too', async () => {
    const { store, db } = await filled();
    const body = 'x'.repeat(1_000_000);
    const many = Array.from({ length: 5 }, (_, id) => put(things, { id, body }, '3'));
    const cut = vi
      .spyOn(Collection.prototype, 'replaceOne')
      .mockRejectedValueOnce(new Error('connection lost'));
    await expect(store.write({ changes: many, checkpoints: checkpoint('3') })).rejects.toThrow();
    cut.mockRestore();
    expect(await db.collection('g1._journal').countDocuments()).toBeGreaterThan(1);
    expect(await store.count(things, { atMost: 99 })).toBe(5);
    expect(await store.checkpoint('some')).toBe('3');
    await store.close();
  });

  test('the latest of concurrent writes in one process wins, in any order', async () => {
    const { store, database, db } = await filled();
    const positions = Array.from({ length: 60 }, (_, at) => String(100 + ((at * 37) % 60)));
    await Promise.all(
      positions.map((position) =>
        store.write({
          changes: [
            put(names, name('a', `a${position}`), position),
            put(things, { id: 1, title: position }, position),
          ],
          checkpoints: new Map(),
        }),
      ),
    );
    await store.close();
    const again = await openMongodbReadStore({ url, database });
    await again.declare([things, names]);
    expect(await again.get(names, 'a')).toEqual(name('a', 'a159'));
    expect(await again.entry(things, 1)).toMatchObject({ document: { title: '159' }, position: '159' });
    expect(await db.collection('g1._journal').countDocuments()).toBe(0);
    await again.close();
  });

  test('the later position of two writing processes wins, including deletions', async () => {
    const { store, database } = await filled();
    const late = await openMongodbReadStore({ url, database, patienceMs });
    await late.declare([things, names]);
    await writeAll(store, [remove(names, 'a', '5'), put(names, name('b', 'five'), '5')]);
    await writeAll(late, [put(names, name('a', 'one'), '4'), put(names, name('b', 'four'), '4')]);
    await writeAll(late, [remove(names, 'c', '6')]);
    await writeAll(store, [put(names, name('c', 'c'), '5')]);
    expect(await store.find(names, { limit: 9 })).toEqual([name('b', 'five')]);
    expect(await store.count(names, { atMost: 9 })).toBe(1);
    expect(await store.count(names, { where: oneOf('path', ['a', 'b', 'c']), atMost: 9 })).toBe(1);
    expect(await store.count(names, { where: eq('slug', null), atMost: 9 })).toBe(0);
    await writeAll(late, [put(names, name('a', 'again'), '7')]);
    expect(await store.get(names, 'a')).toEqual(name('a', 'again'));
    await Promise.all([store.close(), late.close()]);
  });

  test('the unique index rejects what the check could not see', async () => {
    const { store, db } = await filled();
    const nothing = { toArray: async () => [] };
    const { find: found } = Collection.prototype;
    let unseen = 4;
    // Only the finds of the two checks: the journal is read in between, whenever its time comes.
    function hiding(this: Collection, ...query: Parameters<Collection['find']>) {
      return this.collectionName === 'g1.names' && unseen-- > 0 ? nothing : found.apply(this, query);
    }
    const find = vi.spyOn(Collection.prototype, 'find').mockImplementation(hiding as never);
    await expect(writeAll(store, [put(names, name('c', 'one'), '2')])).rejects.toThrow('duplicate key');
    find.mockRestore();
    expect(await db.collection('g1._journal').countDocuments()).toBe(0);
    expect(await store.count(names, { atMost: 9 })).toBe(2);
    await store.close();
  });

  test('values are never read as operators or patterns', async () => {
    const { store } = await filled();
    for (const key of [{ $ne: null }, ['a'], /a/])
      await expect(store.get(names, key as never)).rejects.toThrow(TypeError);
    await expect(store.find(names, { where: eq('slug', { $ne: null } as never), limit: 9 })).rejects.toThrow(
      TypeError,
    );
    await writeAll(store, [put(things, { id: 2, title: '$ne .* [a-z]\\d\n(' }, '2')]);
    const found = (text: string) => store.count(things, { where: includes('title', text), atMost: 9 });
    for (const text of ['$NE', '.*', '[a-z]\\', 'd\n(']) expect(await found(text)).toBe(1);
    for (const text of ['.e', '^', '[a-z]d', '$']) expect(await found(text)).toBe(text === '$' ? 1 : 0);
    await expect(found('('.repeat(20_000))).rejects.toThrow(TypeError);
    await store.close();
  });

  test('declared indexes exist and others are dropped', async () => {
    const { store, db } = await filled();
    const keys = async () => {
      const indexes = await db.collection('g1.some_things').listIndexes().toArray();
      return Object.fromEntries(indexes.map((index) => [index.name, Object.entries(index.key)]));
    };
    const own = {
      _id_: [['_id', 1]],
      _gone: [['_gone', 1]],
      _words_title: [['_words_title', 1]],
      _words_note: [['_words_note', 1]],
    };
    expect(await keys()).toEqual({
      ...own,
      'by_group_-createdAt_-id': [
        ['group', 1],
        ['createdAt', -1],
        ['_id', -1],
      ],
      by_group_open_title_id: [
        ['group', 1],
        ['open', 1],
        ['title', 1],
        ['_id', 1],
      ],
      by_owners_id: [
        ['owners', 1],
        ['_id', 1],
      ],
      by_labels_id: [
        ['labels', 1],
        ['_id', 1],
      ],
      'by_-weight_-id': [
        ['weight', -1],
        ['_id', -1],
      ],
    });
    await store.declare([{ ...things, indexes: [['title']] }]);
    expect(await keys()).toEqual({
      ...own,
      by_title_id: [
        ['title', 1],
        ['_id', 1],
      ],
    });
    const unique = (await db.collection('g1.names').listIndexes().toArray()).filter((index) => index.unique);
    expect(unique.map(({ key }) => key)).toEqual([{ _unique_0: 1 }]);
    await store.close();
  });

  test('projections and a rebuild produce the same documents as in memory', async () => {
    const remote = await openMongodbReadStore({ url, database: newDatabase() });
    const memory = openMemoryReadStore();
    const store = openMemoryEventStore();
    const handler = handlerOn(store);
    for (let i = 0; i < 60; i++) {
      const basket = `${i % 7}x${Math.floor(i / 30)}`;
      const command = i % 14 === 13 ? closeBasket(basket) : addItem(basket, i);
      await handler.handle(basketDecider, `basket-${basket}`, command, SYSTEM_METADATA).catch(() => {});
    }
    for (const readStore of [remote, memory])
      await (await startSystem({ store, readStore, batchSize: 9 })).projectors.stop();
    const expected = await dump(memory, [baskets]);
    expect(expected.split('\n').length).toBeGreaterThan(5);
    expect(await dump(remote, [baskets])).toBe(expected);
    await writeAll(remote, [remove(baskets, '1x0', '9')]);
    expect(await dump(remote, [baskets])).not.toBe(expected);
    await rebuildReadModels({ store, readStore: remote, catalogue, projections: [basketProjection()] });
    expect(await dump(remote, [baskets])).toBe(expected);
    await remote.close();
  });

  test('a candidate that was never swapped in leaves nothing behind', async () => {
    const { store, database, db } = await filled();
    const lost = await store.beside();
    await lost.declare([names]);
    await lost.reset([names], []);
    await writeAll(lost, [put(names, name('z', 'z'))]);
    const next = await store.beside();
    await next.declare([names, things]);
    expect(await next.get(names, 'z')).toBeUndefined();
    await next.reset([names, things], []);
    await next.swap();
    await store.close();
    const again = await openMongodbReadStore({ url, database, patienceMs });
    expect(await again.declare([names, things])).toEqual({ reset: [] });
    expect(await again.checkpoint('some')).toBe(BEGINNING);
    const collections = await db.listCollections({}, { nameOnly: true }).toArray();
    expect(collections.filter(({ name }) => name.startsWith('g1.'))).toEqual([]);
    await again.close();
  });
});

test("an unreachable server times out soon, as an error that is not the caller's fault", async () => {
  const unreachable = { url: 'mongodb://127.0.0.1:1/forgelog', patienceMs: 100 };
  const opened = openMongodbReadStore(unreachable);
  await expect(opened).rejects.toThrow('ECONNREFUSED');
  await expect(opened).rejects.toThrow(ReadStoreUnavailableError);
});
