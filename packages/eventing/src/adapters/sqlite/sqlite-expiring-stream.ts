import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { AppendedEvent } from '../../event.ts';
import { CorruptLogError, EventStoreUnavailableError } from '../../event-store.ts';
import type { ExpiringStream, StreamEpoch } from '../../expiring-stream.ts';
import { LIMIT } from './limit-sql.ts';
import { isDamage } from './sqlite-errors.ts';

export interface SqliteExpiringStreamOptions {
  path: string;
  name: string;
  keepDays: number;
  clock: () => Date;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MOST_REMOVED = 5_000;

/* A number is a revision plus one; AUTOINCREMENT never gives that of a removed row again. */
const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS events (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    schema_version INTEGER NOT NULL,
    time TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS events_by_time ON events (time);
  CREATE TABLE IF NOT EXISTS epochs (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    "after" INTEGER NOT NULL,
    of_log TEXT NOT NULL
  ) STRICT`;

type Row = [
  number: number,
  id: string,
  type: string,
  schemaVersion: number,
  time: string,
  data: string,
  metadata: string,
];

/**
 * One file, one process. Appends are in the file when they resolve, not yet on disk: a power loss may revert the last
 * ones. @throws CorruptLogError
 */
export function openSqliteExpiringStream(options: SqliteExpiringStreamOptions): ExpiringStream {
  const { path, name, keepDays, clock } = options;
  const db = opened(path);
  const array = (sql: string): StatementSync => {
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  const insert = db.prepare(
    `INSERT INTO events (id, type, schema_version, time, data, metadata)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE NOT EXISTS (SELECT 1 FROM events WHERE id = ?1)`,
  );
  const select = array(
    `SELECT number, id, type, schema_version, time, data, metadata FROM events WHERE number > ? AND time >= ? ORDER BY number ${LIMIT}`,
  );
  const last = array("SELECT seq FROM sqlite_sequence WHERE name = 'events'");
  const epochs = db.prepare('SELECT name, "after", of_log AS ofLog FROM epochs ORDER BY number');
  const begun = db.prepare(
    'INSERT OR IGNORE INTO epochs (number, name, "after", of_log) VALUES (?, ?, ?, ?)',
  );
  const remove = db.prepare(
    `DELETE FROM events WHERE number IN (SELECT number FROM events WHERE time < ? ORDER BY time ${LIMIT})`,
  );
  let nextRemoval = 0;

  const begin = () => new Date(clock().getTime() - keepDays * DAY_MS).toISOString();

  function removeExpired(): void {
    const now = clock().getTime();
    if (now < nextRemoval) return;
    const { changes } = remove.run(begin(), MOST_REMOVED);
    if (Number(changes) < MOST_REMOVED) nextRemoval = now + HOUR_MS;
  }

  function run<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new EventStoreUnavailableError(`${path}: ${(error as Error).message}`, { cause: error });
    }
  }

  run(removeExpired);
  return {
    append: async (events) =>
      run(() => {
        removeExpired();
        db.exec('BEGIN IMMEDIATE');
        try {
          for (const { id, type, schemaVersion, time, data, metadata } of events)
            insert.run(id, type, schemaVersion, time, JSON.stringify(data), JSON.stringify(metadata));
          db.exec('COMMIT');
        } catch (error) {
          // A full disk has ended the transaction already.
          if (db.isTransaction) db.exec('ROLLBACK');
          throw error;
        }
      }),
    read: async ({ after, limit }) =>
      run(() => {
        const rows = select.all(after + 1, begin(), limit) as unknown as Row[];
        return rows.map((row) => toEvent(row, name));
      }),
    last: async () => run(() => ((last.get() as unknown as [number] | undefined)?.[0] ?? 0) - 1),
    epochs: async () => run(() => epochs.all() as unknown as StreamEpoch[]),
    beginEpoch: async (known, { name, after, ofLog }) => run(() => void begun.run(known, name, after, ofLog)),
    async close() {
      if (db.isOpen) db.close();
    },
  };
}

function opened(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 5000 });
  try {
    db.exec(SCHEMA);
    return db;
  } catch (error) {
    db.close();
    if (!isDamage(error)) throw error;
    throw new CorruptLogError(
      `${path} is damaged: ${(error as Error).message}. Move it away to start without the records in it.`,
    );
  }
}

function toEvent(
  [number, id, type, schemaVersion, time, data, metadata]: Row,
  stream: string,
): AppendedEvent {
  const parsed = { data: JSON.parse(data), metadata: JSON.parse(metadata) };
  return { id, type, schemaVersion, time, ...parsed, stream, revision: number - 1 };
}
