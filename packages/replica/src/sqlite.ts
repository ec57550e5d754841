import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type Database, inTransaction } from './database.ts';
import { Refusal } from './refusal.ts';
import type { Row, Value } from './table.ts';

/** Milliseconds in which another program's lock may end. */
const BUSY_MS = 10_000;
/** Changes of several fields are a statement each. */
const MOST_STATEMENTS = 500;

export function openSqlite(path: string, { readOnly = false }: { readOnly?: boolean }): Database {
  const db = open(path, readOnly);
  if (!readOnly) {
    // Readers see the last transaction while the next one is written; a crash loses none.
    db.exec('PRAGMA journal_mode = WAL');
    db.exec('PRAGMA synchronous = FULL');
  }
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (!statement) {
      if (statements.size === MOST_STATEMENTS) statements.clear();
      statement = db.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  const run = async (sql: string, values: readonly Value[] = []) => {
    prepared(sql).run(...values);
  };
  return {
    run,
    all: async (sql, values = []) => prepared(sql).all(...values) as Row[],
    hasIndexes: true,
    transaction: (work) => inTransaction(run, work),
    async close() {
      db.close();
    },
  };
}

function open(path: string, readOnly: boolean): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly, timeout: BUSY_MS });
  } catch (error) {
    throw new Refusal(
      `${path} cannot be opened: ${(error as Error).message}. Name a file that may be written.`,
    );
  }
}
