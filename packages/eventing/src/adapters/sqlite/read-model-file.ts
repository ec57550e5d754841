import { closeSync, fsyncSync, openSync } from 'node:fs';
import { checkDeclaration } from '../../collection-checks.ts';
import { BEGINNING, type Position } from '../../event.ts';
import {
  type AnyCollection,
  type GivenCopy,
  isLasting,
  type ReadStore,
  type WriteBatch,
} from '../../read-store.ts';
import { GroupedWrites } from './grouped-writes.ts';
import type { PolicyCheckpoints } from './policy-checkpoints.ts';
import { ReadConnection } from './read-connection.ts';
import { CHECKPOINT_PAGES, StillFile } from './still-file.ts';
import { quote, Table } from './table.ts';
import { TableReader } from './table-reader.ts';
import { TableWriter } from './table-writer.ts';

/** Changes of a batch that others would wait for too long. */
const LARGE = 5_000;

interface Open {
  table: Table;
  reader: TableReader;
  writer: TableWriter;
}

/*
 * Exclusive locking saves three system calls per read. The file is memory-mapped up to SQLite's limit of 2 GB, so a
 * page outside the cache needs no call and no copy. Pages are 8 KB, because a document of 2 to 3 KB leaves half of a
 * smaller page empty. The write-ahead log is checkpointed every 32 MB: each batch writes the last pages of the indexes,
 * which are then copied once.
 */
const SETUP = `
  PRAGMA page_size = 8192;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  PRAGMA cache_size = -65536;
  PRAGMA mmap_size = 2147418112;
  PRAGMA temp_store = MEMORY;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
  CREATE TABLE IF NOT EXISTS "$collections" (name TEXT PRIMARY KEY, shape TEXT NOT NULL, fresh INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS "$checkpoints" (name TEXT PRIMARY KEY, position TEXT NOT NULL) STRICT;`;

export class ReadModelFile implements Omit<ReadStore, 'beside' | 'close' | 'copies'> {
  readonly path: string;
  readonly #policies: PolicyCheckpoints;
  readonly #onDamage: () => void;
  readonly #declared = new Map<string, AnyCollection>();
  #tables = new Map<string, Open>();
  #connection: ReadConnection | null = null;
  #writes: GroupedWrites | null = null;
  #still: StillFile | null = null;

  constructor(path: string, policies: PolicyCheckpoints, onDamage: () => void = () => {}) {
    this.path = path;
    this.#policies = policies;
    this.#onDamage = onDamage;
    this.connect();
  }

  connect(): void {
    this.#connection = new ReadConnection(this.path, this.#onDamage);
    this.#connection.db.exec(SETUP);
    this.#writes = new GroupedWrites(this.#connection, (batch, vacate) => this.#apply(batch, vacate));
    this.#still = new StillFile(this.path, this.#connection);
    this.#tables = new Map();
    for (const collection of this.#declared.values()) this.#use(collection);
  }

  /** Closes the file with everything synced. */
  disconnect(): void {
    if (!this.#connection || !this.#writes) return;
    this.#writes.commit();
    this.#still?.spoil();
    this.#connection.all('PRAGMA wal_checkpoint(TRUNCATE)');
    this.abandon();
    // Sync after the close: closing another handle of an open SQLite file would drop its locks.
    const file = openSync(this.path, 'r');
    fsyncSync(file);
    closeSync(file);
  }

  /** Closes the file without committing, as a kill would. */
  abandon(): void {
    this.#writes?.forget();
    this.#connection?.db.close();
    this.#still?.close();
    this.#connection = null;
    this.#writes = null;
    this.#still = null;
  }

  async declare(collections: readonly AnyCollection[]): Promise<{ reset: string[] }> {
    for (const collection of collections) checkDeclaration(collection);
    const connection = this.#between();
    const tables = collections.map((collection) => new Table(collection));
    connection.transaction(() => this.#create(tables, connection));
    connection.forgetStatements();
    for (const collection of collections) this.#use(collection);
    const fresh = new Set(connection.all('SELECT name FROM "$collections" WHERE fresh = 1').flat());
    return { reset: collections.map(({ name }) => name).filter((name) => fresh.has(name)) };
  }

  async reset(collections: readonly AnyCollection[], checkpoints: readonly string[]): Promise<void> {
    const connection = this.#between();
    connection.transaction(() => {
      for (const collection of collections) {
        const { table } = this.#of(collection);
        connection.run(`DELETE FROM ${table.name}`);
        for (const field of table.sides) connection.run(`DELETE FROM ${table.side(field)}`);
        if (table.words.length > 0)
          connection.run(`INSERT INTO ${table.wordIndex} (${table.wordIndex}) VALUES ('delete-all')`);
        connection.run('UPDATE "$collections" SET fresh = 0 WHERE name = ?', [collection.name]);
      }
      for (const name of checkpoints) connection.run('DELETE FROM "$checkpoints" WHERE name = ?', [name]);
    });
    for (const collection of collections) this.#of(collection).reader.changed();
  }

  get: ReadStore['get'] = async (collection, key) => this.#of(collection).reader.some(key) as never;

  entry: ReadStore['entry'] = async (collection, key) => this.#of(collection).reader.entry(key) as never;

  getFields: ReadStore['getFields'] = async (collection, key, fields) =>
    this.#of(collection).reader.some(key, fields) as never;

  find: ReadStore['find'] = async (collection, query) =>
    this.#of(collection).reader.find(query as never) as never;

  count: ReadStore['count'] = async (collection, query) => this.#of(collection).reader.count(query);

  async checkpoint(projection: string): Promise<Position> {
    if (isLasting(projection)) return this.#policies.get(projection);
    this.#grouped().restore();
    const row = this.#open().get('SELECT position FROM "$checkpoints" WHERE name = ?', [projection]);
    return (row?.[0] as string | undefined) ?? BEGINNING;
  }

  async write(batch: WriteBatch): Promise<void> {
    const { changes, checkpoints } = batch;
    const lasting = Array.from(checkpoints).filter(([name]) => isLasting(name));
    if (changes.length > LARGE) await this.#grouped().writeInTurns(batch);
    else if (changes.length > 0 || checkpoints.size > lasting.length) this.#grouped().write(batch);
    for (const [name, position] of lasting) this.#policies.set(name, position);
  }

  give(): GivenCopy {
    this.#grouped().commit();
    if (!this.#still) throw this.#closed();
    const copy = this.#still.give();
    return { ...copy, checkpoints: new Map([...copy.checkpoints, ...this.#policies.all()]) };
  }

  #apply({ changes, checkpoints }: WriteBatch, vacate: boolean): void {
    const connection = this.#open();
    const touched = new Set<TableReader>();
    if (vacate)
      for (const { collection, key, position } of changes) {
        const { reader, writer } = this.#of(collection);
        if (writer.remove(key, position)) touched.add(reader);
      }
    for (const change of changes) {
      const { reader, writer } = this.#of(change.collection);
      if (writer.apply(change)) touched.add(reader);
    }
    for (const [name, position] of checkpoints) {
      if (isLasting(name)) continue;
      connection.run('INSERT OR REPLACE INTO "$checkpoints" (name, position) VALUES (?, ?)', [
        name,
        position,
      ]);
    }
    for (const reader of touched) reader.changed();
  }

  /** Looks once at what there is: each change of the schema makes SQLite prepare every statement again. */
  #create(tables: readonly Table[], connection: ReadConnection): void {
    const shapes = new Map(connection.all('SELECT name, shape FROM "$collections"') as [string, string][]);
    const schema = connection.all(
      'SELECT type, name, tbl_name FROM sqlite_master WHERE sql IS NOT NULL',
    ) as string[][];
    const there = schema.flatMap(([type, name]) => (type === 'table' ? [name!] : []));
    const indexes = Map.groupBy(
      schema.filter(([type]) => type === 'index'),
      ([, , table]) => table!,
    );
    const fresh = tables.filter((table) => shapes.get(table.collection.name) !== table.shape());
    const statements = tables.flatMap((table) => {
      const isFresh = fresh.includes(table);
      const wanted = table.indexStatements();
      const held = isFresh ? [] : (indexes.get(table.collection.name) ?? []).map(([, name]) => name!);
      return [
        ...(isFresh ? [...table.dropStatements(there), ...table.createStatements()] : []),
        ...held.filter((index) => !wanted.has(index)).map((index) => `DROP INDEX ${quote(index)}`),
        ...Array.from(wanted).flatMap(([index, sql]) => (held.includes(index) ? [] : [sql])),
      ];
    });
    connection.db.exec(statements.join(';'));
    for (const table of fresh)
      connection.run('INSERT OR REPLACE INTO "$collections" (name, shape, fresh) VALUES (?, ?, 1)', [
        table.collection.name,
        table.shape(),
      ]);
  }

  #use(collection: AnyCollection): void {
    const table = new Table(collection);
    const connection = this.#open();
    this.#declared.set(collection.name, collection);
    this.#tables.set(collection.name, {
      table,
      reader: new TableReader(table, connection),
      writer: new TableWriter(table, connection),
    });
  }

  #of(collection: AnyCollection): Open {
    const open = this.#tables.get(collection.name);
    if (!open) throw new Error(`collection ${collection.name} is not declared`);
    return open;
  }

  #open(): ReadConnection {
    if (!this.#connection) throw this.#closed();
    return this.#connection;
  }

  #grouped(): GroupedWrites {
    if (!this.#writes) throw this.#closed();
    return this.#writes;
  }

  #between(): ReadConnection {
    this.#grouped().commit();
    return this.#open();
  }

  #closed(): Error {
    return new Error(`the read store ${this.path} is closed`);
  }
}
