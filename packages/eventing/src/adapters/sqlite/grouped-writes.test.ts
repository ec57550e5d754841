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

test('batches are visible at once, and committed after enough changes', () => {
  const { connection, writes, paths } = setUp();
  for (let count = 1; count < 1024; count++) writes.write(batch(put(names, name(`p${count}`, count, null))));
  expect(paths()).toHaveLength(1023);
  expect(connection.db.isTransaction).toBe(true);
  writes.write(batch(put(names, name('p1024', 1024, null))));
  expect(connection.db.isTransaction).toBe(false);
});

test('a full file serves no stale data, and everything written once there is space', () => {
  const { connection, writes, paths } = setUp();
  const { page_count: pages } = connection.db.prepare('PRAGMA page_count').get() as { page_count: number };
  connection.db.exec(`PRAGMA max_page_count = ${pages + 40}`);
  writes.write(large('one', '1'));
  expect(() => writes.write(large('two', '2'))).toThrow(ReadStoreUnavailableError);
  expect(paths).toThrow(ReadStoreUnavailableError);

  // Earlier batches return as soon as possible, without the failed one.
  writes.restore();
  expect(paths()).toEqual(['one']);
  expect(() => writes.write(large('two', '2'))).toThrow(ReadStoreUnavailableError);
  connection.db.exec('PRAGMA max_page_count = 1000');
  writes.write(large('two', '2'));
  expect(paths()).toEqual(['one', 'two']);
});

test('an idle transaction is committed, and applied again, by itself', async () => {
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

test('a lost transaction is noticed at the next failure and applied again at the next write', () => {
  const { connection, writes, paths } = setUp();
  writes.write(batch(put(names, name('one', 1, null))));
  // SQLite itself does this when a read fails.
  connection.db.exec('ROLLBACK');
  expect(() => connection.all('SELECT absent')).toThrow('no such column');
  expect(paths).toThrow(ReadStoreUnavailableError);
  writes.write(batch(put(names, name('two', 2, null))));
  expect(paths()).toEqual(['one', 'two']);
  writes.commit();
  expect(paths()).toEqual(['one', 'two']);
});

test('a batch with a unique conflict is rejected as a whole, and earlier batches stay', () => {
  const { writes, paths } = setUp();
  writes.write(batch(put(names, name('one', 1, 'a')), put(names, name('two', 1, 'b'))));
  writes.write(batch(remove(names, 'nothing', '1')));
  const contradiction = batch(put(names, name('three', 3, 'c'), '2'), put(names, name('four', 1, 'a'), '2'));
  expect(() => writes.write(contradiction)).toThrow(UniqueViolationError);
  expect(paths()).toEqual(['one', 'two']);
  // Two names swap their unique values.
  writes.write(batch(put(names, name('one', 1, 'b'), '3'), put(names, name('two', 1, 'a'), '3')));
  expect(paths()).toEqual(['one', 'two']);
});

const MANY = Array.from({ length: 2_000 }, (_, at) => put(names, name(`p${at}`, at, null)));

/** Counts turns of the event loop until it is stopped. */
function countTurns() {
  let turns = 0;
  let isOn = true;
  const count = () => {
    turns += 1;
    if (isOn) setImmediate(count);
  };
  setImmediate(count);
  return () => {
    isOn = false;
    return turns;
  };
}

test('a large batch gives others turns, and is committed as a whole', async () => {
  const { connection, writes, paths } = setUp();
  writes.write(batch(put(names, name('before', null, null))));
  const turns = countTurns();
  const written = writes.writeInTurns(batch(...MANY));
  await new Promise(setImmediate);
  expect(connection.db.isTransaction).toBe(true);
  expect(paths().length).toBeLessThan(MANY.length);
  // The transaction that holds a part of it stays open, however long it takes.
  await new Promise((resolve) => setTimeout(resolve, 0));
  await written;
  expect(turns()).toBeGreaterThanOrEqual(4);
  expect(connection.db.isTransaction).toBe(false);
  expect(paths()).toHaveLength(MANY.length + 1);
});

test('a large batch that SQLite takes back halfway leaves nothing, and what was before it comes back', async () => {
  const { connection, writes, paths } = setUp();
  writes.write(batch(put(names, name('before', null, null))));
  const written = writes.writeInTurns(batch(...MANY));
  await new Promise(setImmediate);
  connection.db.exec('ROLLBACK');
  // A reader notices it, as one whose read made SQLite roll back.
  expect(() => connection.all('SELECT absent')).toThrow('no such column');
  await expect(written).rejects.toThrow(ReadStoreUnavailableError);
  writes.restore();
  expect(paths()).toEqual(['before']);
  await writes.writeInTurns(batch(...MANY));
  expect(paths()).toHaveLength(MANY.length + 1);
});

test('a large batch that passes unique values on is written, and one that contradicts itself is rejected', async () => {
  const { writes, paths } = setUp();
  writes.write(batch(put(names, name('one', 1, 'a')), put(names, name('two', 1, 'b'))));
  await writes.writeInTurns(
    batch(put(names, name('one', 1, 'b'), '3'), put(names, name('two', 1, 'a'), '3')),
  );
  expect(paths()).toEqual(['one', 'two']);
  const contradiction = batch(put(names, name('six', 6, 'c'), '4'), put(names, name('seven', 6, 'c'), '4'));
  await expect(writes.writeInTurns(contradiction)).rejects.toThrow(UniqueViolationError);
  expect(paths()).toEqual(['one', 'two']);
});
