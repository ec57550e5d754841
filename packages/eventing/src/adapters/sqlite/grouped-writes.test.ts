import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ReadStoreUnavailableError, UniqueViolationError, type WriteBatch } from '../../read-store.ts';
import { put, remove } from '../../testing/read-store-changes.ts';
import { type Name, names } from '../../testing/sample-collections.ts';
import { GroupedWrites } from './grouped-writes.ts';
import { ReadConnection } from './read-connection.ts';
import { Table } from './table.ts';
import { TableReader } from './table-reader.ts';
import { TableWriter } from './table-writer.ts';

/** Names in a file of their own, written in groups. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'grouped-writes-'));
  const connection = new ReadConnection(join(folder, 'names.db'), () => {});
  onTestFinished(() => {
    connection.db.close();
    rmSync(folder, { recursive: true });
  });
  connection.db.exec('PRAGMA journal_mode = WAL');
  const table = new Table(names);
  for (const sql of [...table.createStatements(), ...table.indexStatements().values()])
    connection.db.exec(sql);
  const writer = new TableWriter(table, connection);
  const writes = new GroupedWrites(connection, ({ changes }, vacate) => {
    if (vacate) for (const { key, position } of changes) writer.remove(key, position);
    for (const change of changes) writer.apply(change);
  });
  const paths = () => new TableReader(table, connection).find({ limit: 10_000 }).map(({ path }) => path);
  return { connection, writes, paths };
}

const name = (path: string, owner: number | null, slug: string | null): Name => ({
  path,
  owner,
  slug,
  tags: [path],
});
const batch = (...changes: WriteBatch['changes']): WriteBatch => ({ changes, checkpoints: new Map() });
const large = (path: string, position: string) =>
  batch(put(names, { ...name(path, null, 'x'.repeat(50_000)) }, position));

test('batches are seen at once, and committed when there are enough of them', () => {
  const { connection, writes, paths } = setUp();
  for (let count = 1; count < 1024; count++) writes.write(batch(put(names, name(`p${count}`, count, null))));
  expect(paths()).toHaveLength(1023);
  expect(connection.db.isTransaction).toBe(true);
  writes.write(batch(put(names, name('p1024', 1024, null))));
  expect(connection.db.isTransaction).toBe(false);
});

test('a file that is full gives nothing from the past, and all that was written once there is room', () => {
  const { connection, writes, paths } = setUp();
  const { page_count: pages } = connection.db.prepare('PRAGMA page_count').get() as { page_count: number };
  connection.db.exec(`PRAGMA max_page_count = ${pages + 40}`);
  writes.write(large('one', '1'));
  expect(() => writes.write(large('two', '2'))).toThrow(ReadStoreUnavailableError);
  expect(paths).toThrow(ReadStoreUnavailableError);

  // What was there before the failure comes back as soon as it can, without what failed.
  writes.restore();
  expect(paths()).toEqual(['one']);
  expect(() => writes.write(large('two', '2'))).toThrow(ReadStoreUnavailableError);
  connection.db.exec('PRAGMA max_page_count = 1000');
  writes.write(large('two', '2'));
  expect(paths()).toEqual(['one', 'two']);
});

test('what nobody adds to is committed by itself, and made again by itself', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { connection, writes, paths } = setUp();
  writes.write(batch(put(names, name('one', 1, null))));
  expect(connection.db.isTransaction).toBe(true);
  vi.advanceTimersByTime(100);
  expect(connection.db.isTransaction).toBe(false);

  writes.write(batch(put(names, name('two', 2, null))));
  connection.db.exec('ROLLBACK');
  vi.advanceTimersByTime(100);
  expect(paths).toThrow(ReadStoreUnavailableError);
  vi.advanceTimersByTime(100);
  expect(paths()).toEqual(['one', 'two']);
});

test('a transaction that is gone is noticed by what fails next, and made again by the next write', () => {
  const { connection, writes, paths } = setUp();
  writes.write(batch(put(names, name('one', 1, null))));
  // As SQLite does by itself where reading fails.
  connection.db.exec('ROLLBACK');
  expect(() => connection.all('SELECT absent')).toThrow('no such column');
  expect(paths).toThrow(ReadStoreUnavailableError);
  writes.write(batch(put(names, name('two', 2, null))));
  expect(paths()).toEqual(['one', 'two']);
  writes.commit();
  expect(paths()).toEqual(['one', 'two']);
});

test('a batch that contradicts itself or what is there is refused whole, and those before it stay', () => {
  const { writes, paths } = setUp();
  writes.write(batch(put(names, name('one', 1, 'a')), put(names, name('two', 1, 'b'))));
  writes.write(batch(remove(names, 'nothing', '1')));
  const contradiction = batch(put(names, name('three', 3, 'c'), '2'), put(names, name('four', 1, 'a'), '2'));
  expect(() => writes.write(contradiction)).toThrow(UniqueViolationError);
  expect(paths()).toEqual(['one', 'two']);
  // Two names that change places.
  writes.write(batch(put(names, name('one', 1, 'b'), '3'), put(names, name('two', 1, 'a'), '3')));
  expect(paths()).toEqual(['one', 'two']);
});
