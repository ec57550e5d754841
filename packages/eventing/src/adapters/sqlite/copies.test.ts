import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type GivenCopy, ReadStoreUnavailableError } from '../../read-store.ts';
import { put } from '../../testing/read-store-changes.ts';
import { names } from '../../testing/sample-collections.ts';
import { openSqliteReadStore } from './sqlite-read-store.ts';
import { CHECKPOINT_PAGES } from './still-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'copies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** SQLite would copy it into the file by then. */
const MOST_IN_THE_LOG = CHECKPOINT_PAGES * 8192;
let files = 0;
const LONG = 's'.repeat(2000);
const newPath = () => join(folder, `${++files}`, 'read-models.db');

async function opened(path = newPath()) {
  const store = await openSqliteReadStore({ path });
  const { reset } = await store.declare([names]);
  if (reset.length > 0) await store.reset([names], []);
  const add = (first: number, count: number, position: string) =>
    store.write({
      changes: Array.from({ length: count }, (_, at) =>
        put(names, { path: `n${first + at}`, owner: first + at, slug: LONG, tags: null }, position),
      ),
      checkpoints: new Map([['some', position]]),
    });
  const count = () => store.count(names, { atMost: 100_000 });
  return { path, store, copies: store.copies!, add, count };
}

async function* chunksOf(copy: GivenCopy) {
  for await (const chunk of copy.read()) yield Buffer.from(chunk);
}

const left = (path: string) => readdirSync(join(path, '..')).filter((name) => name.includes('.copy'));

test('a copy is of one position, however much is written while it is read', async () => {
  const source = await opened();
  await source.add(0, 3000, '1');
  await source.store.write({ changes: [], checkpoints: new Map([['policy:mail', '1']]) });
  const copy = await source.copies.give();
  expect([...copy.checkpoints]).toEqual([
    ['some', '1'],
    ['policy:mail', '1'],
  ]);
  async function* whileWriting() {
    let next = 3000;
    for await (const chunk of chunksOf(copy)) {
      await source.add(next, 400, '2');
      next += 400;
      yield chunk;
    }
  }
  const target = await opened();
  const taken = await target.copies.take(whileWriting());
  copy.end();
  expect((await taken.declare([names])).reset).toEqual([]);
  await taken.swap();
  await target.store.declare([names]);
  expect(await target.count()).toBe(3000);
  expect(await target.store.checkpoint('some')).toBe('1');
  expect(statSync(`${source.path}-wal`).size).toBeGreaterThan(MOST_IN_THE_LOG);
  await target.add(3000, 10, '2');
  for (const { store } of [source, target]) await store.close();
  const again = await opened(target.path);
  expect(await again.count()).toBe(3010);
  await again.store.close();
});

test('a store that is closed meanwhile gives no whole copy', async () => {
  const source = await opened();
  await source.add(0, 3000, '1');
  const copy = await source.copies.give();
  const chunks = chunksOf(copy);
  await chunks.next();
  await source.store.close();
  await expect(Array.fromAsync(chunks)).rejects.toThrow(ReadStoreUnavailableError);
  copy.end();
});

test('four copies are given at a time, of the same position while one of them lasts', async () => {
  const source = await opened();
  await source.add(0, 10, '1');
  const first = await source.copies.give();
  await source.add(10, 10, '2');
  const others = [await source.copies.give(), await source.copies.give(), await source.copies.give()];
  for (const { checkpoints } of others) expect(checkpoints.get('some')).toBe('1');
  await expect(source.copies.give()).rejects.toThrow('as many copies');
  for (const copy of [first, first, ...others]) copy.end();
  const later = await source.copies.give();
  expect(later.checkpoints.get('some')).toBe('2');
  later.end();
  await source.store.close();
});

test('nothing is left of bytes that break off, or are no store', async () => {
  const target = await opened();
  await target.add(0, 5, '1');
  async function* broken() {
    yield Buffer.alloc(100_000, 1);
    throw new Error('cut off');
  }
  await expect(target.copies.take(broken())).rejects.toThrow('cut off');
  async function* noise() {
    yield Buffer.alloc(100_000, 1);
  }
  await expect(target.copies.take(noise())).rejects.toThrow('not a database');
  expect(left(target.path)).toEqual([]);
  expect(await target.count()).toBe(5);
  await target.store.close();
});

test('what a killed process left of a copy goes with the next start', async () => {
  const target = await opened();
  await target.add(0, 5, '1');
  await target.store.close();
  for (const suffix of ['', '-wal', '-shm']) writeFileSync(`${target.path}.copy${suffix}`, 'half');
  const again = await opened(target.path);
  expect(left(target.path)).toEqual([]);
  expect(await again.count()).toBe(5);
  await again.store.close();
  expect(existsSync(`${target.path}.open`)).toBe(false);
});
