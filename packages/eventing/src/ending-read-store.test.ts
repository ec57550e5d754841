import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventOf } from '@forgelog/contracts/event.ts';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openMemoryReadStore } from './adapters/memory/memory-read-store.ts';
import { openSqliteReadStore } from './adapters/sqlite/sqlite-read-store.ts';
import { defineProjection } from './define-projection.ts';
import { normalise } from './document.ts';
import { endingReadStore } from './ending-read-store.ts';
import { ProjectionBatch } from './projection-batch.ts';
import { asc, eq } from './query.ts';
import {
  type Change,
  defineCollection,
  endsWith,
  type ReadStore,
  ReadStoreUnavailableError,
} from './read-store.ts';
import { applyTo, recorded } from './testing/projecting.ts';
import { describeReadStore } from './testing/read-store.contract.ts';
import { BasketClosed, ItemAdded } from './testing/sample-domain.ts';

const log = { error: vi.fn() };

describeReadStore(
  'memory, in which many can end',
  async () => ({ store: endingReadStore(openMemoryReadStore(), log) }),
  { modelRuns: 30 },
);

const items = defineCollection({
  name: 'items',
  key: 'id',
  fields: { id: 'integer', basket: 'text', note: 'text' },
  indexes: [['basket']],
  words: ['note'],
  ownedBy: [endsWith(BasketClosed, ({ basket }) => eq('basket', basket))],
});

const put = (id: number, basket: string, position = '000001'): Change => ({
  ...{ kind: 'put', collection: items, key: id, position },
  document: normalise(items, { id, basket, note: `note ${id}` }),
});
const write = (store: ReadStore, ...changes: Change[]) => store.write({ changes, checkpoints: new Map() });
const idsIn = async (store: ReadStore) =>
  (await store.find(items, { sort: [asc('id')], limit: 10_000 })).map(({ id }) => id);
const countOf = (store: ReadStore, basket: string) =>
  store.count(items, { where: eq('basket', basket), atMost: 10_000 });

async function sqlite() {
  const folder = await mkdtemp(join(tmpdir(), 'forgelog-ending-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return () => openSqliteReadStore({ path: join(folder, 'models.db') });
}

/** 1,000 of a basket that will end, and three of another. */
async function fill(store: ReadStore) {
  await store.declare([items]);
  const large = Array.from({ length: 1000 }, (_, at) => put(at + 10, 'large'));
  await write(store, ...large, put(1, 'small'), put(2, 'small'), put(3, 'small'));
}

async function filled(inner: ReadStore) {
  const store = endingReadStore(inner, log);
  await fill(store);
  return store;
}

describe.each([
  ['memory', async () => openMemoryReadStore()],
  ['sqlite', async () => (await sqlite())()],
])('in %s', (_, open) => {
  test('what ended is seen by nobody from the write on, and is deleted beside', async () => {
    const inner = await open();
    const store = await filled(inner);
    onTestFinished(() => store.close());
    await write(store, store.ending(items, eq('basket', 'large'), '000002'));
    expect(await countOf(inner, 'large')).toBeGreaterThan(0);
    expect(await idsIn(store)).toEqual([1, 2, 3]);
    expect(await countOf(store, 'large')).toBe(0);
    expect(await store.count(items, { atMost: 5000 })).toBe(3);
    expect(await store.get(items, 500)).toBeUndefined();
    expect(await store.entry(items, 500)).toBeUndefined();
    expect(await store.getFields(items, 500, ['note'])).toBeUndefined();
    expect(await store.getFields(items, 2, ['note'])).toEqual({ note: 'note 2' });
    expect((await store.entry(items, 2))?.position).toBe('000001');
    await store.cleared();
    expect(await inner.count(items, { atMost: 5000 })).toBe(3);
    expect(await idsIn(store)).toEqual([1, 2, 3]);
  });
});

test('what a killed process had not deleted stays hidden, and is deleted by the next one', async () => {
  const open = await sqlite();
  const first = await filled(await open());
  await write(first, first.ending(items, eq('basket', 'large'), '000002'));
  await first.close();
  const inner = await open();
  const left = await inner.declare([items]).then(() => countOf(inner, 'large'));
  expect(left).toBeGreaterThan(0);
  const store = endingReadStore(inner, log);
  onTestFinished(() => store.close());
  await store.declare([items]);
  expect(await idsIn(store)).toEqual([1, 2, 3]);
  await store.cleared();
  expect(await countOf(inner, 'large')).toBe(0);
});

test('a write that failed, and had taken effect, hides as well', async () => {
  const inner = openMemoryReadStore();
  let fails = false;
  const failing: ReadStore = {
    ...inner,
    async write(batch) {
      await inner.write(batch);
      if (!fails) return;
      fails = false;
      throw new ReadStoreUnavailableError('no answer');
    },
  };
  const store = await filled(failing);
  fails = true;
  await expect(write(store, store.ending(items, eq('basket', 'large'), '000002'))).rejects.toThrow(
    'no answer',
  );
  await store.checkpoint('items');
  expect(await idsIn(store)).toEqual([1, 2, 3]);
  await store.cleared();
  expect(await idsIn(inner)).toEqual([1, 2, 3]);
});

test('what cannot be deleted now is hidden meanwhile, and tried again', async () => {
  const inner = openMemoryReadStore();
  let isAway = false;
  const failing: ReadStore = {
    ...inner,
    write: (batch) => (isAway ? Promise.reject(new ReadStoreUnavailableError('away')) : inner.write(batch)),
  };
  const logged: string[] = [];
  const store = endingReadStore(failing, { error: (_, message) => logged.push(message) }, { retryMs: 10 });
  await fill(store);
  await write(store, store.ending(items, eq('basket', 'large'), '000002'));
  isAway = true;
  await expect.poll(() => logged.length).toBeGreaterThan(1);
  expect(logged[0]).toBe('what ended is not deleted yet; tried again later');
  expect(await idsIn(store)).toEqual([1, 2, 3]);
  isAway = false;
  await store.cleared();
  expect(await idsIn(inner)).toEqual([1, 2, 3]);
});

test('what is newer than the end stays, and is seen once the others are deleted', async () => {
  const inner = openMemoryReadStore();
  const store = await filled(inner);
  await write(store, store.ending(items, eq('basket', 'large'), '000002'), put(5000, 'large', '000003'));
  await store.cleared();
  expect(await idsIn(store)).toEqual([1, 2, 3, 5000]);
});

test('a collection that is emptied has nothing hidden', async () => {
  const store = await filled(openMemoryReadStore());
  await write(store, store.ending(items, eq('basket', 'large'), '000002'));
  await store.reset([items], []);
  await write(store, put(500, 'large'));
  expect(await idsIn(store)).toEqual([500]);
});

const projection = defineProjection<EventOf<typeof ItemAdded>>({
  name: 'items',
  collections: [items],
  handles: [ItemAdded.type],
  async project(event, documents) {
    const { basket, amount } = event.data;
    documents.put(items, { id: amount, basket, note: 'x' });
  },
});

test('the end of an owner with many documents is one change, in a batch with others', async () => {
  const store = endingReadStore(openMemoryReadStore(), log);
  const added = (at: number, basket: string, id: number) =>
    recorded(at, { type: 'ItemAdded', data: { basket, amount: id, note: 'x' } });
  const closed = (at: number, basket: string) => recorded(at, { type: 'BasketClosed', data: { basket } });
  await applyTo(store, projection, [added(1, 'small', 1)]);
  await write(store, ...Array.from({ length: 3000 }, (_, at) => put(at + 10, 'large')));

  const batch = new ProjectionBatch(projection, store);
  const apply = async (event: ReturnType<typeof recorded>) => {
    batch.begin(event.position);
    await projection.project(event, batch.documents);
  };
  await apply(added(2, 'large', 5000));
  await batch.documents.get(items, 10);
  await apply(closed(3, 'large'));
  expect(await batch.documents.get(items, 11)).toBeUndefined();
  expect(await batch.documents.find(items, { limit: 5000 })).toMatchObject([{ id: 1 }]);
  expect(await batch.documents.findAll(items, eq('basket', 'large'))).toEqual([]);
  await apply(added(4, 'small', 2));
  await apply(closed(5, 'none'));
  expect(batch.changes().length).toBeLessThan(10);
  await write(store, ...batch.changes());
  expect(await idsIn(store)).toEqual([1, 2]);
  await store.cleared();
  expect(await idsIn(store)).toEqual([1, 2]);
});

test('an end that its projection takes back hides nothing', async () => {
  const store = await filled(openMemoryReadStore());
  await write(store, ...Array.from({ length: 3000 }, (_, at) => put(at + 10, 'large')));
  const batch = new ProjectionBatch(projection, store);
  const event = recorded(3, { type: 'BasketClosed', data: { basket: 'large' } });
  batch.begin(event.position);
  expect(await batch.documents.endAll(items, eq('basket', 'large'))).toBe(3000);
  batch.rollback();
  expect(batch.changes()).toEqual([]);
  expect(await batch.documents.get(items, 11)).toMatchObject({ id: 11 });
});
