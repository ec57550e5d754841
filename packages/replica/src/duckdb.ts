import { type Database, inTransaction } from './database.ts';
import { Refusal } from './refusal.ts';
import type { Row, Value } from './table.ts';

const PACKAGE = '@duckdb/node-api';

/** What this uses of the package, which is not installed by default. */
interface DuckDb {
  DuckDBInstance: {
    create(
      path: string,
      options: Record<string, string>,
    ): Promise<{ connect(): Promise<Connection>; closeSync(): void }>;
  };
}
interface Connection {
  run(sql: string, values?: readonly unknown[]): Promise<unknown>;
  runAndReadAll(
    sql: string,
    values?: readonly unknown[],
  ): Promise<{ getRowObjects(): Record<string, unknown>[] }>;
  closeSync(): void;
}

export async function openDuckDb(
  path: string,
  { readOnly = false }: { readOnly?: boolean },
): Promise<Database> {
  const { DuckDBInstance } = await load();
  const instance = await DuckDBInstance.create(path, readOnly ? { access_mode: 'READ_ONLY' } : {});
  const connection = await instance.connect();
  const run = async (sql: string, values: readonly Value[] = []) => {
    await connection.run(sql, values);
  };
  return {
    run,
    async all(sql, values = []) {
      const answer = await connection.runAndReadAll(sql, values);
      return answer.getRowObjects().map(withNumbers);
    },
    // An update of an indexed column is a deletion and an insertion, which its keys may refuse within a transaction.
    hasIndexes: false,
    transaction: (work) => inTransaction(run, work),
    async close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function load(): Promise<DuckDb> {
  try {
    return (await import(PACKAGE)) as DuckDb;
  } catch {
    throw new Refusal(
      `DuckDB needs the package ${PACKAGE}: install it beside this one, or name a file .sqlite.`,
    );
  }
}

/** BIGINT arrives as bigint; ids and seconds are exact as numbers. */
const withNumbers = (row: Record<string, unknown>): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? Number(value) : (value as Value),
    ]),
  );
